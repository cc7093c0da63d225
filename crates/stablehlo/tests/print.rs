//! What HLO text says beside its operations is kept in StableHLO text, or refused by name.

use lawson_stablehlo::{print, read_text};

fn printed(hlo: &str) -> Result<String, String> {
    let module = lawson_hlo::text::parse(hlo).expect("a module");
    print(&module).map_err(|e| e.message)
}

#[test]
fn donated_arguments_stay_donated() {
    let text = printed(
        "HloModule m, input_output_alias={ {1}: (0, {}, may-alias) }, buffer_donor={ (1, {}) }\n
         ENTRY e {\n  a = f32[4] parameter(0)\n  b = f32[4] parameter(1)\n  s = f32[4] add(a, b)\n
         d = f32[4] subtract(a, b)\n  ROOT t = (f32[4], f32[4]) tuple(s, d)\n}\n",
    )
    .expect("text");
    assert!(
        text.contains(
            "%v1: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %v2: tensor<4xf32> {jax.buffer_donor = true}"
        ),
        "{text}"
    );
    let again = read_text(&text).expect("a module");
    assert_eq!((again.header.aliases[0].parameter, &again.header.aliases[0].output[..]), (0, &[1][..]));
    assert_eq!(again.header.donors[0].parameter, 1);
}

#[test]
fn calls_keep_their_configuration() {
    let call = |attrs: &str| {
        printed(&format!(
            "HloModule m\n\nf {{\n  ROOT p = f32[4] parameter(0)\n}}\n\nENTRY e {{\n  a = f32[4] parameter(0)\n  \
             ROOT c = f32[4] custom-call(a), custom_call_target=\"t\"{attrs}\n}}\n"
        ))
    };
    let text = call(", backend_config=\"two words\"").expect("text");
    assert!(text.contains("backend_config = \"two words\""), "{text}");
    assert!(
        print(&read_text(&text).expect("a module")).expect("text").contains("backend_config = \"two words\"")
    );
    let refused = call(", called_computations={f}").expect_err("no text");
    assert_eq!(refused, "STABLEHLO: `c` has computations that it calls, for which there is no text here");
}

#[test]
fn functions_that_are_called_main_have_another_name() {
    let text = printed(
        "HloModule m\n\nmain. {\n  p = f32[] parameter(0)\n  ROOT n = f32[] negate(p)\n}\n\nmain {\n  \
         p = f32[] parameter(0)\n  ROOT n = f32[] call(p), to_apply=main.\n}\n\nENTRY e {\n  \
         p = f32[] parameter(0)\n  ROOT c = f32[] call(p), to_apply=main\n}\n",
    )
    .expect("text");
    let names: Vec<&str> = text.matches("@\"main").collect();
    assert_eq!(names.len(), 5, "{text}");
    read_text(&text).expect("three functions");
}

#[test]
fn a_byte_order_mark_is_no_part_of_the_text() {
    let text = "\u{feff}func.func @main(%a: tensor<f32>) -> tensor<f32> { return %a : tensor<f32> }";
    assert!(lawson_stablehlo::is_text(text));
    read_text(text).expect("a module");
}
