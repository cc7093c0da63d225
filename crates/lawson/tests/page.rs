//! The page of `explain --html` in a real browser: it renders, a click or a key shows the instructions of a kernel,
//! and no request leaves it.
//!
//! Needs Chromium; where none is found the tests say so and pass. `.ci/run` installs it.

use lawson::explain::{Decision, Edge, Explanation, Graph, Kernel, Node, NodeKind, Operation, explain, html};
use lawson::{Options, load};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// What the browser asks for on its own account, whatever page it shows.
const BROWSERS_OWN: &[&str] = &[".google.com/", ".googleapis.com/", ".gvt1.com/"];

fn chromium() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&path).flat_map(|dir| NAMES.iter().map(move |n| dir.join(n)));
    let found = found.into_iter().find(|p| p.is_file());
    if found.is_none() {
        eprintln!("skipped: no Chromium here; Debian's package is `chromium`");
    }
    found
}

/// Ten elementwise kernels between sorts, each with an operation for every loop.
fn explained(operations: usize) -> Explanation {
    let mut text = String::from(
        "HloModule m\nless {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n  \
         ROOT l = pred[] compare(a, b), direction=LT\n}\nENTRY e {\n  v0 = f32[512] parameter(0)\n",
    );
    for i in 1..=operations {
        let what = match i % 10 {
            0 => format!("sort(v{}), dimensions={{0}}, to_apply=less", i - 1),
            5 => format!("add(v{}, v0)", i - 1),
            _ => format!("sine(v{})", i - 1),
        };
        let root = if i == operations { "ROOT " } else { "" };
        text += &format!("  {root}v{i} = f32[512] {what}\n");
    }
    let loaded = load::text_of("m.hlo".into(), text + "}\n").expect("a module");
    let options = Options { target: Some("zen4".into()), threads: 2, ..Options::default() };
    explain(&loaded, &options).expect("a plan")
}

/// Opens the page with a script that acts and calls `report`; gives what was reported, one line each.
fn browse(chromium: &Path, page: &str, script: &str) -> Vec<String> {
    let folder = std::env::temp_dir().join(format!("lawson-page-{}-{:p}", std::process::id(), &script));
    std::fs::create_dir_all(&folder).expect("a folder");
    let watch = "<script>const violations = []; \
         addEventListener('securitypolicyviolation', e => violations.push(e.blockedURI)); \
         addEventListener('error', e => violations.push('error ' + e.message));</script>";
    let act = format!(
        "<script>const reported = []; const report = (...all) => reported.push(all.join(' '));\n{script}\n\
         report('violations', violations.length, ...violations);\n\
         report('requests', performance.getEntriesByType('resource').length);\n\
         const out = document.createElement('pre'); out.id = 'reported'; \
         out.textContent = reported.join('\\n'); document.body.append(out);</script>"
    );
    let page = page.replacen("<head>", &format!("<head>{watch}"), 1);
    let page = page.replacen("</body>", &format!("{act}</body>"), 1);
    let file = folder.join("page.html");
    std::fs::write(&file, page).expect("written");
    let log = folder.join("net.json");
    let output = Command::new(chromium)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"])
        .args(["--disable-component-update", "--disable-sync", "--no-first-run", "--window-size=1400,1000"])
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--log-net-log={}", log.display()))
        .arg(format!("file://{}", file.display()))
        .stderr(Stdio::null())
        .output()
        .expect("Chromium starts");
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let log = std::fs::read_to_string(&log).unwrap_or_default();
    let _ = std::fs::remove_dir_all(&folder);
    for url in log.split("\"url\":\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let foreign = url.starts_with("http") || url.starts_with("ws");
        assert!(!foreign || BROWSERS_OWN.iter().any(|own| url.contains(own)), "a request to {url}");
    }
    let reported = dom.split("<pre id=\"reported\">").nth(1).and_then(|r| r.split("</pre>").next());
    let reported = reported.unwrap_or_else(|| panic!("the script did not end; the page is\n{dom}"));
    reported.lines().map(str::to_owned).collect()
}

#[test]
fn a_click_shows_the_instructions_of_a_kernel() {
    let Some(chromium) = chromium() else { return };
    let e = explained(45);
    let page = html::render(&e);
    let script = "
        const boxes = [...document.querySelectorAll('#kernels .kernel')];
        const seen = () => [...document.querySelectorAll('#details article')].filter(a => a.checkVisibility());
        const names = () => [...seen()[0].querySelectorAll('.instructions code')]
            .filter(c => c.checkVisibility()).map(c => c.textContent.split(' ')[0]).join(',');
        const at = r => [r.left, r.top, r.right, r.bottom];
        const rects = boxes.map(b => at(b.querySelector('rect').getBoundingClientRect()));
        report('boxes', boxes.length, 'drawn', rects.filter(([l, t, r, b]) => r - l > 50 && b - t > 20).length);
        const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
        report('overlaps', rects.filter((a, i) => rects.some((b, j) => j < i && overlap(a, b))).length);
        report('first', seen().length, seen()[0].id);
        boxes[2].querySelector('text').dispatchEvent(new MouseEvent('click', { bubbles: true }));
        report('clicked', seen().length, seen()[0].id, names(), boxes[2].getAttribute('aria-pressed'));
        const press = (key) => document.activeElement.dispatchEvent(
            new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
        boxes[0].focus();
        report('focused', document.activeElement === boxes[0]);
        press('Enter');
        report('entered', seen()[0].id);
        press('ArrowDown');
        report('moved', seen()[0].id, document.activeElement === boxes[1]);
        document.querySelector('#times button[data-kernel=\"3\"]').click();
        report('listed', seen()[0].id, names());
    ";
    let reported = browse(&chromium, &page, script);
    let names = |k: usize| e.kernels[k].instructions.iter().map(|i| &*i.name).collect::<Vec<_>>().join(",");
    let kernels = e.kernels.len();
    assert!(kernels > 4, "{kernels}");
    assert_eq!(
        reported,
        [
            format!("boxes {kernels} drawn {kernels}"),
            "overlaps 0".into(),
            "first 1 kernel-0".into(),
            format!("clicked 1 kernel-2 {} true", names(2)),
            "focused true".into(),
            "entered kernel-0".into(),
            "moved kernel-1 true".into(),
            format!("listed kernel-3 {}", names(3)),
            "violations 0".into(),
            "requests 0".into(),
        ]
    );
}

#[test]
fn a_module_of_a_thousand_instructions_stays_readable() {
    let Some(chromium) = chromium() else { return };
    let e = explained(1000);
    let script = "
        const before = document.querySelector('#before');
        report(before.querySelectorAll('svg').length, before.textContent.includes('collapsed'));
        const box = document.querySelector('#kernels .kernel:last-of-type');
        report(document.querySelectorAll('#kernels .kernel').length);
        // Letters keep their size, and the page itself never scrolls sideways.
        const letter = document.querySelector('#kernels .kernel text').getBoundingClientRect();
        report(letter.height >= 9, document.documentElement.scrollWidth <= innerWidth);
        document.querySelector('[data-kernel=\"5\"]').dispatchEvent(new MouseEvent('click', { bubbles: true }));
        const details = document.querySelector('#kernel-5');
        report(details.checkVisibility(), details.querySelectorAll('.operation').length);
    ";
    let reported = browse(&chromium, &html::render(&e), script);
    let kernels = e.kernels.len().to_string();
    assert_eq!(reported[..3], ["0 true", &kernels, "true true"]);
    assert!(reported[3].starts_with("true ") && reported[3] != "true 0", "{}", reported[3]);
    assert_eq!(reported[4..], ["violations 0", "requests 0"]);
}

/// An explanation of so many kernels of ten instructions each, in a chain.
fn chain(kernels: usize) -> Explanation {
    const EACH: usize = 10;
    let name = |n: usize| format!("v{n}");
    let node = |n: usize, kernel: usize| Node {
        name: name(n),
        kind: NodeKind::Kernel,
        opcode: "sine".into(),
        shape: "f32[512]".into(),
        kernels: vec![kernel],
    };
    let edges = |n: usize| (1..n).map(|to| Edge { from: to - 1, to, bytes: 2048 }).collect();
    let graph = |nodes: Vec<Node>| Graph { title: "ENTRY".into(), edges: edges(nodes.len()), nodes };
    let all = kernels * EACH;
    let kernel = |k: usize| Kernel {
        name: name(k * EACH),
        category: "elementwise".into(),
        instructions: (k * EACH..(k + 1) * EACH)
            .map(|n| Operation {
                name: name(n),
                text: format!("v{n} = f32[512] sine(v{})", n.max(1) - 1),
                ..Operation::default()
            })
            .collect(),
        predicted_us: 1.0 + (k % 7) as f64,
        launches: Some(1),
        ..Kernel::default()
    };
    let decision = |n: usize| Decision {
        producer: name(n - 1),
        consumer: name(n),
        fused: !n.is_multiple_of(EACH),
        pass: "instruction-fusion".into(),
        reason: "a sort reads its whole row before it writes".into(),
        us_saved: n as f64,
        ..Decision::default()
    };
    Explanation {
        module: "chain.hlo".into(),
        kernels: (0..kernels).map(kernel).collect(),
        decisions: (1..all).map(decision).collect(),
        before: vec![graph((0..all).map(|n| node(n, n / EACH)).collect())],
        after: vec![graph((0..kernels).map(|k| node(k * EACH, k)).collect())],
        ..Explanation::default()
    }
}

#[test]
fn the_page_grows_with_the_module_and_no_faster() {
    let size = |kernels: usize| html::render(&chain(kernels)).len();
    let (small, large) = (size(2500), size(10_000));
    assert!(large < 5 * small, "{small} bytes, {large} bytes");
}

#[test]
fn a_page_of_a_hundred_thousand_instructions_answers_a_click() {
    let Some(chromium) = chromium() else { return };
    let page = html::render(&chain(10_000));
    let script = "
        report(document.querySelectorAll('*').length < 20000);
        const seen = () => [...document.querySelectorAll('#details article')].map(a => a.id + ' ' +
            a.querySelectorAll('.instructions code').length + ' ' + a.querySelectorAll('.operation').length);
        report('first', ...seen());
        document.querySelector('#kernels [data-kernel=\"6\"]').click();
        report('clicked', ...seen(), location.hash);
        const number = document.querySelector('#number');
        number.value = '9999';
        number.dispatchEvent(new Event('change'));
        report('by number', ...seen(), document.querySelector('#details code').textContent);
        const rows = () => document.querySelectorAll('#kept tr').length;
        const first = document.querySelectorAll('#kept tr')[1].textContent;
        report('top', first.startsWith('v99989 → v99990'), rows());
        document.querySelector('[data-more=\"more-kept\"]').click();
        report('more', rows());
    ";
    assert_eq!(
        browse(&chromium, &page, script),
        [
            "true",
            "first kernel-0 10 0",
            "clicked kernel-6 10 0 #kernel-6",
            "by number kernel-9999 10 0 v99990 = f32[512] sine(v99989)",
            "top true 303",
            "more 603",
            "violations 0",
            "requests 0",
        ]
    );
}
