"""Reads results of one run the way people do, and prints what was found as JSON.

    readers.py whole out.csv out.mat     what pandas, scipy and DyMat make of two files of one run
    readers.py partial out.mat.partial   what scipy finds in the file of a killed run
"""

import json
import sys

import pandas
import scipy.io

MATRICES = ["Aclass", "name", "description", "dataInfo", "data_1", "data_2"]


def whole(csv, mat):
    import DyMat

    table = pandas.read_csv(csv)
    result = DyMat.DyMatFile(mat)
    matrices = scipy.io.loadmat(mat)
    names = list(table.columns)[1:]
    different = [
        name
        for name in names
        if (result.data(name)[[0, -1]] != table[name].to_numpy()[[0, -1]]).any()
        or (result.block(name) == 2 and (result.data(name) != table[name].to_numpy()).any())
    ]
    if (result.abscissa(2, True) != table["time"].to_numpy()).any():
        different.append("time")
    return {
        "csv": names,
        "mat": list(result.names()),
        "types": sorted({str(kind) for kind in table.dtypes}),
        "different": different,
        "matrices": {name: list(matrices[name].shape) for name in MATRICES},
        "descriptions": {name: result.description(name) for name in names},
        "parameters": result.names(1),
        "shared": {name: dict(result.sharedData(name)) for name in result.names(2)},
        "abscissa": list(result.abscissa(1, True)),
    }


def partial(mat):
    # Named, so that nothing is looked for behind what the header counts.
    matrices = scipy.io.loadmat(mat, appendmat=False, variable_names=MATRICES)
    return {"times": list(matrices["data_2"][0])}


print(json.dumps({"whole": whole, "partial": partial}[sys.argv[1]](*sys.argv[2:])))
