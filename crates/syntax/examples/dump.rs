use rhei_source::*;
fn main() {
    for path in std::env::args().skip(1) {
        let text = decode(std::fs::read(&path).unwrap()).text;
        let mut files = Files::default();
        let id = files.add(&path, text.clone());
        let p = rhei_syntax::parse(id, text.into());
        p.tree.verify().unwrap();
        if std::env::var("DUMP").is_ok() { print!("{}", p.tree.dump()); }
        for d in &p.diagnostics { println!("{}\n", render(d, &files, Style::Plain)); }
    }
}
