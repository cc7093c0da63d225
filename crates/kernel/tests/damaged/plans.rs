//! Plans.

use crate::{bad_plan, dependent, distances, dot, inverse, map, planned, scattered, softmax, sums};
use lawson_hlo::{DType, Opcode};
use lawson_kernel::loop_ir::Factor;
use lawson_kernel::plan::{
    self, IndexSetSplit, MapSchedule, Plan, ReduceShape, Schedule, SelectAndScatterSchedule,
};
use lawson_kernel::region::{ArgExtreme, Array, NodeId};

/// The first loop of a map in two, with these loops for the parts.
fn split(at: i64, parts: Vec<MapSchedule>) -> IndexSetSplit {
    IndexSetSplit { axis: 0, at: vec![at], in_rows: false, work: 50, parts, evaluated: vec![Vec::new(); 2] }
}

#[test]
fn what_a_plan_computes() {
    bad_plan("it is computed 0 times", map(), |p| p.groups.clear());
    bad_plan("it is computed 2 times", map(), |p| p.groups.push(p.groups[0].clone()));
    bad_plan("there is no stage 4", map(), |p| p.groups[0].epilogue = Some(4));
    bad_plan("not the loops of a map", map(), |p| {
        let (lane, lanes, rows_per_task, once) = (None, 1, None, false);
        p.groups[0].schedule =
            Schedule::SelectAndScatter(SelectAndScatterSchedule { lane, lanes, rows_per_task, once });
    });
    bad_plan("exclude each other", softmax(), |p| p.groups = planned(&map()).groups);
    let apart = || {
        let (mut region, other) = (map(), map());
        region.stages.extend(other.stages);
        region.outputs.push(Array { name: "second".into(), ..region.outputs[0].clone() });
        region.output_sources.push((1, 0));
        region
    };
    bad_plan("cannot be computed where", apart(), |p| {
        let groups = planned(&map()).groups;
        (p.nest, p.groups) = (None, groups);
        p.groups[0].epilogue = Some(1);
    });
}

#[test]
fn loops() {
    bad_plan("its loops have 28 of 32 points", map(), |p| p.groups[0].axes.extents = vec![28]);
    bad_plan("its loops are of another stage", map(), |p| {
        p.groups[0].axes = planned(&dot()).groups[0].axes.clone()
    });
    bad_plan("of 512 inner points", sums(), |p| *p.groups[0].axes.extents.last_mut().expect("a loop") = 16);
    let of_map = |p: &mut Plan, change: fn(&mut plan::MapSchedule)| {
        let Schedule::Map(map) = &mut p.groups[0].schedule else { panic!("a map") };
        change(map);
    };
    let of_update = |p: &mut Plan, change: fn(&mut plan::UpdateSchedule)| {
        let Schedule::Update(update) = &mut p.groups[0].schedule else { panic!("an update") };
        change(update);
    };
    bad_plan("run side by side", scattered(), |p| of_update(p, |u| u.parallel = true));
    bad_plan("run side by side", scattered(), |p| of_update(p, |u| (u.lane, u.lanes) = (Some(0), 4)));
    bad_plan("3 updates are loaded together", scattered(), |p| of_update(p, |u| u.in_turn = Some(3)));
    bad_plan("parts of vectors, are found before", scattered(), |p| {
        of_update(p, |u| u.found_before = Some(3))
    });
    bad_plan("no maximum or minimum are compared", scattered(), |p| {
        of_update(p, |u| u.compared = Some(Opcode::Maximum))
    });
    bad_plan("12 lanes", map(), |p| of_map(p, |m| m.lanes = 12));
    bad_plan("lanes along no loop", map(), |p| of_map(p, |m| m.lane = None));
    bad_plan("which is not there", map(), |p| of_map(p, |m| m.lane = Some(6)));
    bad_plan("64 lanes along 32 points", map(), |p| of_map(p, |m| m.lanes = 64));
    bad_plan("0 columns", map(), |p| of_map(p, |m| m.columns_per_task = 0));
    bad_plan("is no inverse", map(), |p| of_map(p, |m| m.inverses.nodes.push(NodeId(0))));
    bad_plan("inverses of 6 vectors", inverse(), |p| of_map(p, |m| m.inverses.vectors = 6));
    bad_plan("no first of their own", sums(), |p| {
        let Schedule::Reduce(sum) = &mut p.groups[0].schedule else { panic!("a reduction") };
        let dtype = DType::F32;
        sum.by_blocks = Some(ArgExtreme { element: 0, greatest: true, dtype, is_total: false });
    });
    bad_plan("another loop than the lanes'", map(), |p| {
        of_map(p, |m| {
            let row = m.lane.expect("lanes");
            m.transpose = Some(plan::Transpose {
                row,
                loads: Vec::new(),
                rows: 16,
                columns: 16,
                turn: plan::Turn::Shuffles,
                squares: None,
                in_registers: false,
            });
        })
    });
    bad_plan("3 vectors together in tasks of", map(), |p| of_map(p, |m| m.ahead = 3));
    bad_plan("squares of 32 columns stay in registers", map(), |p| {
        of_map(p, |m| {
            m.transpose = Some(plan::Transpose {
                row: 0,
                loads: Vec::new(),
                rows: 16,
                columns: 32,
                turn: plan::Turn::Shuffles,
                squares: None,
                in_registers: true,
            });
        })
    });
    bad_plan("9 x 2 squares in 8 tasks of 2", map(), |p| {
        of_map(p, |m| {
            m.transpose = Some(plan::Transpose {
                row: 1,
                loads: Vec::new(),
                rows: 32,
                columns: 32,
                turn: plan::Turn::Stores,
                squares: Some(plan::BlockSquares { rows: 9, columns: 2, tasks: 8, per_task: 2 }),
                in_registers: false,
            });
        })
    });
    bad_plan("is split at [40]", map(), |p| {
        of_map(p, |m| {
            m.split = Some(split(40, vec![m.clone(), m.clone()]));
        })
    });
    bad_plan("1 loops for 2 parts", map(), |p| {
        of_map(p, |m| {
            m.split = Some(split(16, vec![m.clone()]));
        })
    });
    bad_plan("results of 3 rows at once", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        reduce.stored_together = 3;
    });
    bad_plan("1 chunks of 100 for 512 elements", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        assert_eq!(reduce.shape, ReduceShape::AcrossLanes);
        reduce.chunk = 100;
    });
    bad_plan("lanes in order over [512]", sums(), |p| {
        let Schedule::Reduce(reduce) = &mut p.groups[0].schedule else { panic!("a reduction") };
        reduce.in_order = Some(plan::InOrder { vectors: 2, shuffled: Vec::new() });
    });
    bad_plan("these are not the loops of a contract", distances(), |p| {
        let factors = [Factor::S8; 2];
        let words = plan::Words { vector: NodeId(0), scalar: NodeId(1), factors, tiles: false };
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a product") };
        contract.words = Some(words);
    });
    bad_plan("along no loop", dot(), |p| {
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
        contract.row = Some(9);
    });
    let over = |axis: fn(&plan::ContractSchedule) -> usize| {
        move |p: &mut Plan| {
            let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
            contract.over = Some(plan::Over { axis: axis(contract), points: 1 });
            contract.block = 1;
        }
    };
    bad_plan("runs over points of its rows", dot(), over(|c| c.lane.expect("lanes")));
    bad_plan("with the elements of one ahead", dot(), |p| {
        let Schedule::Contract(contract) = &mut p.groups[0].schedule else { panic!("a dot") };
        (contract.over, contract.ahead) = (Some(plan::Over { axis: 9, points: 1 }), true);
    });
}

#[test]
fn memory_between_groups() {
    let two = || {
        let region = dependent();
        assert_eq!(planned(&region).groups.len(), 2, "{}", planned(&region));
        region
    };
    bad_plan("which is not in memory", two(), |p| p.scratch.clear());
    bad_plan("which is computed later", two(), |p| p.groups.reverse());
    bad_plan("stage 1 result 0 needs no place", two(), |p| p.scratch.push((1, 0)));
    bad_plan("there is no out3", two(), |p| p.reread.push(3));
}

#[test]
fn prefetches() {
    let ask = |stage: u32, load: u32| {
        move |p: &mut Plan| {
            let into = lawson_kernel::loop_ir::Cache::First;
            p.prefetch.push(plan::PrefetchDistance { stage, load: NodeId(load), elements: 64, into });
        }
    };
    bad_plan("%2 is no load of an input", softmax(), ask(0, 2));
    bad_plan("is no load of an input", softmax(), ask(9, 0));
    bad_plan("threads of a graphics processor ask for nothing", softmax(), |p| {
        ask(0, 0)(p);
        p.lanes_are_threads = true;
    });
}

#[test]
fn reciprocals() {
    bad_plan("%0 is no division by a reciprocal", softmax(), |p| p.reciprocals.push((0, NodeId(0))));
    bad_plan("is no division by a reciprocal", softmax(), |p| {
        let (_, division) = p.reciprocals.first().copied().unwrap_or((0, NodeId(1)));
        p.reciprocals.push((9, division));
    });
}

#[test]
fn nests() {
    let nest = |change: fn(&mut plan::Nest)| move |p: &mut Plan| change(p.nest.as_mut().expect("a row nest"));
    bad_plan("0 rows of a task", softmax(), nest(|n| n.rows_per_task = 0));
    bad_plan("results of 128 rows at once", softmax(), nest(|n| n.stored_together = 128));
    bad_plan("not those of the nest", softmax(), nest(|n| n.rows[0] = 63));
    bad_plan("which is computed later", softmax(), nest(|n| n.members.reverse()));
    bad_plan("3 lanes along row 0", softmax(), nest(|n| n.lane = Some(plan::RowLanes { row: 0, lanes: 3 })));
    bad_plan(
        "4 rows of row 5",
        softmax(),
        nest(|n| n.block = Some(plan::Block { row: 5, rows: 4, lanes: 1 })),
    );
    bad_plan("it is of no result", softmax(), nest(|n| n.tiles[0].result = 9));
    bad_plan("0 elements", softmax(), nest(|n| n.tiles[0].elements = 0));
}
