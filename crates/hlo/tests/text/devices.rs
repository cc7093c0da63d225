//! Shardings, groups and pairs: as text there and back, and as values.

use crate::{entry, find, round_trip_entry};
use lawson_hlo::attrs::{GroupMode, Peers};
use lawson_hlo::sharding::{ArraySharding, ShardGroup, Sharding, ShardingKind, Subgroup};
use lawson_hlo::{Attrs, Module};

fn sharded(sharding: &str) -> String {
    format!("ROOT x = f32[4,4] parameter(0), sharding={sharding}")
}

fn read(sharding: &str) -> Sharding {
    let module = entry(&sharded(sharding));
    find(&module, "x").notes.as_ref().and_then(|n| n.sharding.clone()).expect("a sharding")
}

#[test]
fn shardings_print_as_xla_prints_them() {
    for (text, printed) in [
        ("{replicated}", ""),
        ("{manual}", ""),
        ("{unknown}", ""),
        ("{unreduced}", ""),
        ("{maximal device=3}", ""),
        ("{device=3 maximal}", "{maximal device=3}"),
        ("{devices=[2,1]0,1}", ""),
        ("{devices=[2,1] 1, 0}", "{devices=[2,1]1,0}"),
        ("{devices=[2,2]<=[4]}", ""),
        ("{devices=[2,2]<=[4]T(0)}", "{devices=[2,2]<=[4]}"),
        ("{devices=[2,2]<=[2,2]T(1,0)}", ""),
        ("{devices=[2,1,2]<=[4] last_tile_dim_replicate}", ""),
        (
            "{devices=[2,1,2]<=[4] last_tile_dims={replicated}}",
            "{devices=[2,1,2]<=[4] last_tile_dim_replicate}",
        ),
        ("{devices=[1,1,2,2]0,1,2,3 last_tile_dims={manual, unreduced}}", ""),
        ("{replicated shard_as 7}", ""),
        ("{devices=[4,1]<=[4] shard_like 2 metadata={op_name=\"n\" source_line=3}}", ""),
        (
            "{manual metadata={{op_name=\"a\"},{op_name=\"}\"}}}",
            "{manual metadata={{op_name=\"a\"}, {op_name=\"}\"}}}",
        ),
        (
            "{{replicated}, {devices=[2,2]<=[4]},{maximal device=0}}",
            "{{replicated}, {devices=[2,2]<=[4]}, {maximal device=0}}",
        ),
        ("{}", ""),
        ("{mesh['a'=2,'b'=2], [{'a','b'}, {}]}", "{mesh['a'=2,'b'=2], [{'a', 'b'}, {}]}"),
        ("{mesh['a'=2,'b'=4], device_ids=([4,2]T(1,0)), [{'a'}, {'b'}]}", ""),
        (
            "{mesh['a'=2,'b'=2], device_ids=([2,2]T(0,1)), [{'a'}, {'b'}]}",
            "{mesh['a'=2,'b'=2], [{'a'}, {'b'}]}",
        ),
        ("{mesh['a'=2,'b'=2], device_ids=(0,2,1,3), [{'a'}, {'b'}]}", ""),
        ("{mesh['a'=2,'b'=4], [{'a', ?}, {?}]}", ""),
        ("{mesh['a'=2,'b'=4], [{'b':(1)2}, {'b':(2)2}]}", ""),
        ("{mesh['a'=2,'b'=4,'c'=2], [{'a'}, {}], replicated={'b'}, unreduced={'c'}}", ""),
        ("{mesh['a b'=4,'c'=2], [{}, {}], manual={'a b':(1)2, 'c'}, metadata={op_name=\"n\"}}", ""),
        ("{mesh[\"a\"=2] unreduced}", "{mesh['a'=2], unreduced}"),
        ("{mesh[], replicated}", ""),
        ("{maximal_mesh[device_id=3]}", "{maximal device=3}"),
        ("{{mesh['a'=2], manual}, {replicated}}", ""),
        // A formula of any size takes no memory.
        ("{devices=[1000000,1000000]<=[1000000000000]}", ""),
    ] {
        let printed = if printed.is_empty() { text } else { printed };
        assert_eq!(round_trip_entry(&sharded(text)), [sharded(printed)]);
    }
}

#[test]
fn shardings_are_values() {
    assert_eq!(read("{replicated}"), Sharding::Single(ShardingKind::Replicated.into()));
    let both = vec![ShardingKind::Manual.into(), ShardingKind::Maximal { device: 2 }.into()];
    assert_eq!(read("{{manual}, {maximal device=2}}"), Sharding::Tuple(both));
    let Sharding::Single(ArraySharding { kind: ShardingKind::Tiled(tiling), group, metadata }) =
        read("{devices=[2,1,3]<=[3,2]T(1,0) last_tile_dim_replicate shard_like 4}")
    else {
        panic!("tiles")
    };
    assert_eq!((group, metadata.len()), (Some(ShardGroup::Like(4)), 0));
    assert_eq!((tiling.tiles(), &tiling.subgroups[..]), (&[2, 1][..], &[Subgroup::Replicated][..]));
    assert_eq!(tiling.tile_dims(&[4, 4]), Some(vec![2, 4]));
    // Devices of one parity share a tile.
    assert_eq!((0..6).map(|d| tiling.tile_of(d).unwrap()[0]).collect::<Vec<_>>(), [0, 1, 0, 1, 0, 1]);
}

#[test]
fn collectives_are_values() {
    let module = Module::parse(
        "add { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] add(a, b) }
        ENTRY e {
          x = f32[4] parameter(0)
          r = f32[4] all-reduce(x), to_apply=add, use_global_device_ids=true, replica_groups=[2,4]<=[4,2]T(1,0), channel_id=9
          g = f32[8] all-gather(r), dimensions={0}, channel_id=2, replica_groups={{0,2},{1,3}}
          ROOT p = f32[8] collective-permute(g), source_target_pairs={{0,1},{1,2}}
        }",
    )
    .unwrap();
    let collective = |name| match &find(&module, name).attrs {
        Attrs::Collective(c) => (**c).clone(),
        other => panic!("{other:?}"),
    };
    let (r, g, p) = (collective("r"), collective("g"), collective("p"));
    let mode = |c: &lawson_hlo::attrs::Collective, name| c.group_mode(find(&module, name).opcode);
    assert_eq!((r.channel_id, mode(&r, "r"), r.group_size()), (Some(9), Some(GroupMode::Flattened), Some(4)));
    let Peers::Groups(groups) = &r.peers else { panic!("groups") };
    assert_eq!(groups.members(1).collect::<Vec<_>>(), [1, 3, 5, 7]);
    assert_eq!((g.dim, mode(&g, "g")), (Some(0), Some(GroupMode::ReplicasWithPartitions)));
    assert_eq!(
        (p.peers.clone(), mode(&p, "p")),
        (Peers::Pairs(vec![(0, 1), (1, 2)]), Some(GroupMode::Replicas))
    );
}

#[test]
fn what_is_no_sharding_has_a_place() {
    for (text, message) in [
        ("{maximal}", "a sharding is one of"),
        ("{replicated manual}", "a second word of that kind"),
        ("{replicated device=0}", "a sharding is one of"),
        ("{last_tile_dim_replicate}", "a sharding is one of"),
        ("{devices=[]<=[2]}", "unexpected `]`"),
        ("{devices=[2]<=[2]T()}", "unexpected `)`"),
        ("{devices=[2,1]0,1,}", "unexpected `}`"),
        ("{sharded}", "unexpected `sharded`"),
        ("{devices=[2]0,1 last_tile_dims={odd}}", "unexpected `odd`"),
        ("{mesh[a=2], [{a}]}", "unexpected `a`"),
        ("{mesh['a'=2], [{'b'}]}", "the mesh has no axis 'b'"),
        ("{mesh['a'=2], [{?, 'a'}]}", "unexpected `,`"),
        ("{mesh['a'=2], [{}], manual={}, manual={}}", "a second `manual=`"),
        ("{mesh[\"a\\\"\"=2], replicated}", "holds no quotes"),
        ("{devices=[2]<=0,1}", "unexpected `0`"),
        ("{devices=[2][2]}", "unexpected `[`"),
        ("replicated", "unexpected `replicated`"),
        ("{devices=[99999999999999999999]0}", "does not fit in 64 bits"),
    ] {
        let text = format!("ENTRY e {{ {} }}", sharded(text));
        let error = Module::parse(&text).unwrap_err();
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
    for (call, message) in [
        ("all-reduce(x), replica_groups=[1,1]0, to_apply=add", "unexpected `0`"),
        ("all-reduce(x), replica_groups={0,1}, to_apply=add", "unexpected `0`"),
        ("all-gather(x), replica_groups={}", "needs the attribute `dimensions=`"),
        ("collective-permute(x), source_target_pairs={{0}}", "a source and a target"),
        ("fft(x), fft_type=DCT, fft_length={4}", "unexpected `DCT`"),
        ("domain(x), domain={kind=\"odd\", entry={manual}, exit={manual}}", "unknown kind"),
    ] {
        let add = "add { a = f32[] parameter(0) b = f32[] parameter(1) s = f32[] add(a, b) }";
        let text = format!("{add} ENTRY e {{ x = f32[4] parameter(0) ROOT y = f32[4] {call} }}");
        let error = Module::parse(&text).unwrap_err();
        assert!(error.to_string().contains(message), "{text}: {error}");
    }
}
