//! Texts that LLVM 19 wrote.

use lawson_ptx::Module;

#[test]
fn all_instructions_are_known() {
    for text in [
        include_str!("../texts/a_sm_90.ptx"),
        include_str!("../texts/a_sm_75.ptx"),
        include_str!("../texts/b_sm_90.ptx"),
    ] {
        let module = Module::parse(text).unwrap();
        assert_eq!(module.refused(), [], "{}", module.target());
    }
}
