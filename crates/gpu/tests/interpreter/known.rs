//! Texts whose results are known by hand.

use super::{Fault, Machine, Program};

/// What functions and data may stand before the one that is run.
const BEFORE: &str = "
.version 7.8
.target sm_90
.address_size 64
.global .align 8 .b8 table[16] = {1, 2, 3, 4, 5, 6, 7, 8, 255, 128, 0, 0, 16, 0, 0, 0};
.global .align 8 .u64 seven = 7;
.global .align 4 .u32 nothing;
.func (.param .align 8 .b8 func_retval0[8]) both
(
	.param .b64 both_param_0,
	.param .b32 both_param_1
)
;
";

const AFTER: &str = "
.func (.param .align 8 .b8 func_retval0[8]) both(
	.param .b64 both_param_0,
	.param .b32 both_param_1
)
{
	.local .align 16 .b8 	__local_depot1[32];
	.reg .b64 	%SPL;
	.reg .b32 	%r<4>;
	.reg .b64 	%rd<2>;
	mov.b64 	%SPL, __local_depot1;
	ld.param.b64 	%rd1, [both_param_0];
	ld.param.b32 	%r1, [both_param_1];
	st.local.b64 	[%SPL+16], %rd1;
	ld.local.v2.b32 	{%r2, %r3}, [%SPL+16];
	add.s32 	%r2, %r2, %r1;
	st.param.v2.b32 	[func_retval0], {%r2, %r3}; // what is added, and the high half
	ret;
}
";

/// A text whose only entry runs `body`, with %rd0 as an address, and leaves %rd1 there.
fn text(body: &str) -> String {
    let head = ".visible .entry test(\n\t.param .u64 .ptr .align 1 test_param_0\n)\n{\n\t.reg .pred %p<5>;\n\t.reg .b16 %rs<5>;
        .reg .b32 %r<7>;\n\t.reg .b64 %rd<9>;\n\tld.param.b64 %rd0, [test_param_0];\n";
    let body = body.replace("; ", ";\n");
    format!("{BEFORE}{head}{body}\n\tst.b64 [%rd0], %rd1;\n\tret;\n}}\n{AFTER}")
}

fn run(body: &str) -> Result<u64, Fault> {
    let program = Program::read(&text(body))?;
    let mut machine = Machine::new(&program, 4096);
    machine.left = 1000;
    let address = machine.memory.put(&[0; 64]);
    machine.run("test", &[address])?;
    Ok(machine.memory.read(address, 8).unwrap())
}

/// Runs bodies whose results are in %rd1, %r1, %rs1 or %p1.
fn check(known: &[(&str, u64)]) {
    for (body, expected) in known {
        let writes = |register: &str| [",", "}"].iter().any(|end| body.contains(&format!("{register}{end}")));
        let widened = if writes("%rd1") {
            ""
        } else if writes("%r1") {
            " cvt.u64.u32 %rd1, %r1;"
        } else if writes("%rs1") {
            " cvt.u64.u16 %rd1, %rs1;"
        } else {
            " selp.b64 %rd1, 1, 0, %p1;"
        };
        match run(&format!("{body}{widened}")) {
            Ok(value) => assert_eq!(value, *expected, "{body}: {value:#x} instead of {expected:#x}"),
            Err(fault) => panic!("{body}: {fault}"),
        }
    }
}

#[test]
fn shifts_end_at_the_width() {
    check(&[
        ("mov.b64 %rd2, 5; shl.b64 %rd1, %rd2, 63;", 1 << 63),
        ("mov.b64 %rd2, 5; shl.b64 %rd1, %rd2, 64;", 0),
        ("mov.b64 %rd2, 5; mov.b32 %r2, 200; shl.b64 %rd1, %rd2, %r2;", 0),
        ("mov.b64 %rd2, -1; shr.u64 %rd1, %rd2, 63;", 1),
        ("mov.b64 %rd2, -1; shr.u64 %rd1, %rd2, 64;", 0),
        ("mov.b64 %rd2, -9; shr.s64 %rd1, %rd2, 64;", u64::MAX),
        ("mov.b32 %r2, 1; shl.b32 %r1, %r2, 32;", 0),
        ("mov.b32 %r2, 0x80000000; shr.s32 %r1, %r2, 4;", 0xF800_0000),
        ("mov.b16 %rs2, -1; shl.b16 %rs1, %rs2, 4;", 0xFFF0),
        ("mov.b16 %rs2, -1; shl.b16 %rs1, %rs2, 16;", 0),
        // The amount is taken modulo 32: 33 is 1.
        ("mov.b32 %r2, 0x80000001; mov.b32 %r3, 2; shf.l.wrap.b32 %r1, %r2, %r3, 33;", 5),
        ("mov.b32 %r2, 0x80000001; mov.b32 %r3, 3; shf.r.wrap.b32 %r1, %r2, %r3, 33;", 0xC000_0000),
        ("mov.b32 %r2, 0x80000001; mov.b32 %r3, 2; shf.l.clamp.b32 %r1, %r2, %r3, 33;", 0x8000_0001),
    ]);
}

#[test]
fn carries_go_on_to_the_next_word() {
    let sum = "mov.b64 %rd2, -1; add.cc.s64 %rd3, %rd2, 1; addc.cc.s64 %rd4, 5, 0; addc.cc.s64 %rd5, 5, 0;";
    let difference = "mov.b64 %rd2, 0; sub.cc.s64 %rd3, %rd2, 1; subc.cc.s64 %rd4, 5, 0; subc.cc.s64 %rd5, 5, 0;";
    check(&[
        (&format!("{sum} mov.b64 %rd1, %rd3;"), 0),
        (&format!("{sum} mov.b64 %rd1, %rd4;"), 6),
        (&format!("{sum} mov.b64 %rd1, %rd5;"), 5),
        (&format!("{difference} mov.b64 %rd1, %rd3;"), u64::MAX),
        (&format!("{difference} mov.b64 %rd1, %rd4;"), 4),
        (&format!("{difference} mov.b64 %rd1, %rd5;"), 5),
        // All ones and a carry carry again, also where the result takes the place of an operand.
        ("mov.b64 %rd1, -1; add.cc.s64 %rd2, %rd1, %rd1; addc.cc.s64 %rd1, %rd1, %rd1; addc.cc.s64 %rd1, 0, 0;", 1),
    ]);
}

#[test]
fn whole_numbers_are_computed_in_their_widths() {
    check(&[
        ("add.s16 %rs1, -1, 2;", 1),
        ("sub.s32 %r1, 1, 2;", 0xFFFF_FFFF),
        ("mul.hi.u64 %rd1, -1, -1;", u64::MAX - 1),
        ("mul.hi.u32 %r1, -1, -1;", 0xFFFF_FFFE),
        ("mul.wide.u32 %rd1, -1, 2;", 0x1_FFFF_FFFE),
        ("mul.wide.s32 %rd1, -1, 2;", (-2i64) as u64),
        ("mad.lo.s32 %r1, 0x10000, 0x10000, 7;", 7),
        ("abs.s32 %r1, -3;", 3),
        ("neg.s32 %r1, 1;", 0xFFFF_FFFF),
        ("not.b16 %rs1, 1;", 0xFFFE),
        ("min.u32 %r1, -1, 3;", 3),
        ("max.s32 %r1, -1, 3;", 3),
        ("div.s32 %r1, -7, 2;", 0xFFFF_FFFD),
        ("popc.b64 %r1, -1;", 64),
        ("clz.b64 %r1, 1;", 63),
        ("clz.b32 %r1, 0;", 32),
        ("bfe.u64 %rd1, 0xABCD00, 8, 12;", 0xBCD),
        ("bfe.u32 %r1, -1, 28, 32;", 15),
        ("bfe.u64 %rd1, -1, 64, 3;", 0),
        ("bfi.b32 %r1, -1, 0, 8, 4;", 0xF00),
        ("bfi.b32 %r1, 1, -1, 28, 8;", 0x1FFF_FFFF),
        ("bfi.b32 %r1, -1, 3, 32, 8;", 3),
        ("setp.lt.s32 %p1, -1, 0;", 1),
        ("setp.lt.u32 %p1, -1, 0;", 0),
        ("mov.b32 %r2, 7; setp.eq.b32 %p1, %r2, 7;", 1),
        ("setp.ge.s64 %p2, -1, 0; not.pred %p1, %p2;", 1),
        ("setp.gt.u16 %p2, -1, 0; selp.b32 %r1, 4, 9, %p2;", 4),
        ("mov.pred %p2, 0; selp.b16 %rs1, 4, 9, %p2;", 9),
        ("mov.pred %p2, -1; xor.pred %p1, %p2, -1;", 0),
        ("mov.pred %p2, -1; vote.sync.any.pred %p1, %p2, -1;", 1),
        ("mov.b32 %r1, %ntid.x;", 32),
        ("mov.b32 %r1, 1; mov.pred %p2, 0; @%p2 mov.b32 %r1, 2;", 1),
        ("mov.b32 %r1, 1; mov.pred %p2, 0; @!%p2 mov.b32 %r1, 2;", 2),
        // Bytes 0 and 4, twice byte 3; and signs of bytes 3 and 0.
        ("mov.b32 %r2, 0x99332211; mov.b32 %r3, 0x88776655; prmt.b32 %r1, %r2, %r3, 0x3340U;", 0x9999_5511),
        ("mov.b32 %r2, 0x99332211; prmt.b32 %r1, %r2, 0, 0x08B1U;", 0x1100_FF22),
        ("mov.b64 %rd2, 0x100000002; mov.b64 {%r2, %r3}, %rd2; mov.b64 %rd1, {%r3, %r2};", 0x2_0000_0001),
        ("mov.b32 {_, %rs1}, 0x70003;", 7),
    ]);
}

#[test]
fn real_numbers_know_nan_and_both_zeros() {
    let one = 0x3F80_0000u64;
    let nan = "mov.b32 %r2, 0f7FC00000; mov.b32 %r3, 0f3F800000;";
    for (comparison, expected) in [
        ("eq", 0),
        ("ne", 0),
        ("lt", 0),
        ("ge", 0),
        ("equ", 1),
        ("neu", 1),
        ("ltu", 1),
        ("leu", 1),
        ("gtu", 1),
        ("geu", 1),
        ("nan", 1),
        ("num", 0),
    ] {
        check(&[(&format!("{nan} setp.{comparison}.f32 %p1, %r2, %r3;"), expected)]);
        check(&[(&format!("{nan} setp.{comparison}.f32 %p1, %r3, %r2;"), expected)]);
    }
    check(&[
        ("setp.leu.f64 %p1, 0d3FF0000000000000, 0d3FF0000000000000;", 1),
        ("setp.ltu.f64 %p1, 0d3FF0000000000000, 0d3FF0000000000000;", 0),
        (&format!("{nan} max.f32 %r1, %r2, %r3;"), one),
        (&format!("{nan} min.f32 %r1, %r3, %r2;"), one),
        ("min.f32 %r1, 0f00000000, 0f80000000;", 0x8000_0000),
        ("max.f32 %r1, 0f80000000, 0f00000000;", 0),
        // The sign of the first, the size of the second.
        ("copysign.f64 %rd1, 0d8000000000000000, 0d3FF0000000000000;", 0xBFF0_0000_0000_0000),
        ("neg.f32 %r1, 0f00000000;", 0x8000_0000),
        ("add.rn.f32 %r1, 0f3F800000, 0f33000000;", one),
        ("div.rn.f64 %rd1, 0d3FF0000000000000, 0d0000000000000000;", 0x7FF0_0000_0000_0000),
        ("sqrt.rn.f32 %r1, 0f40800000;", 0x4000_0000),
        ("rcp.rn.f32 %r1, 0f40000000;", 0x3F00_0000),
        ("setp.eq.f32 %p2, 0f00000000, 0f80000000; selp.f32 %r1, 0f3F800000, 0f00000000, %p2;", one),
    ]);
}

#[test]
fn conversions_saturate_and_round() {
    check(&[
        ("cvt.s16.s8 %rs1, 0x1280;", 0xFF80),
        ("cvt.u16.u64 %rs1, 0x12345;", 0x2345),
        ("cvt.u64.u32 %rd1, -1;", 0xFFFF_FFFF),
        ("cvt.s64.s32 %rd1, -1;", u64::MAX),
        ("cvt.rzi.s16.f32 %rs1, 0fBFC00000;", 0xFFFF),
        ("cvt.rzi.s16.f32 %rs1, 0f4E6E6B28;", 0x7FFF),
        ("cvt.rzi.s16.f32 %rs1, 0fCE6E6B28;", 0x8000),
        ("cvt.rzi.s16.f32 %rs1, 0f7FC00000;", 0),
        ("cvt.rzi.u64.f64 %rd1, 0dBFF0000000000000;", 0),
        ("cvt.rzi.u64.f64 %rd1, 0d7FF0000000000000;", u64::MAX),
        ("cvt.rzi.u64.f64 %rd1, 0d7FF8000000000000;", 1 << 63),
        // 2²⁴ + 1 lies between two numbers, 2.5 between two whole ones.
        ("cvt.rn.f32.u32 %r1, 16777217;", 0x4B80_0000),
        ("cvt.rn.f64.s64 %rd1, -1;", 0xBFF0_0000_0000_0000),
        ("cvt.rn.f64.u64 %rd1, -1;", 0x43F0_0000_0000_0000),
        ("cvt.rn.f32.f64 %r1, 0d3FF0000010000000;", 0x3F80_0000),
        ("cvt.f64.f32 %rd1, 0f40000000;", 0x4000_0000_0000_0000),
        ("cvt.rni.f64.f64 %rd1, 0d4004000000000000;", 0x4000_0000_0000_0000),
    ]);
}

#[test]
fn memory_is_read_and_written() {
    check(&[
        ("ld.global.nc.v2.b64 {%rd2, %rd1}, [table];", 0x10_0000_80FF),
        ("mov.b64 %rd2, table; ld.v2.b32 {%r2, %r1}, [%rd2];", 0x0807_0605),
        ("mov.b64 %rd2, table; ld.v2.b64 {%rd2, %rd3}, [%rd2]; mov.b64 %rd1, %rd3;", 0x10_0000_80FF),
        ("ld.global.nc.s8 %rs1, [table+9];", 0xFF80),
        ("ld.global.nc.s8 %rd1, [table+8];", u64::MAX),
        ("ld.global.nc.b8 %rs1, [table+9];", 0x80),
        ("ld.global.b64 %rd1, [seven];", 7),
        ("ld.relaxed.sys.global.b32 %r1, [nothing];", 0),
        ("mov.b32 %r2, 3; st.v2.b8 [%rd0+8], {%r2, 0x1FF}; ld.b64 %rd1, [%rd0+8];", 0xFF03),
        ("mov.b64 %rd2, seven; add.s64 %rd2, %rd2, 8; ld.b64 %rd1, [%rd2+-8];", 7),
        ("atom.add.u64 %rd1, [seven], 3;", 7),
        ("atom.add.u64 %rd2, [seven], 3; atom.add.u64 %rd1, [seven], 0;", 10),
    ]);
}

#[test]
fn jumps_and_calls_go_where_they_should() {
    // 4 + 3 + 2 + 1.
    let loops = "mov.b64 %rd1, 0; mov.b64 %rd2, 4; $L__BB0_1:\n add.s64 %rd1, %rd1, %rd2; add.s64 %rd2, %rd2, -1;
        setp.ne.b64 %p2, %rd2, 0; @%p2 bra $L__BB0_1;";
    let choice = |number: u32| {
        format!(
            "mov.b32 %r2, {number}; $L_brx_0: .branchtargets\n$L__A,\n$L__B; brx.idx %r2, $L_brx_0; $L__A:
            mov.b64 %rd1, 10; bra.uni $L__C; $L__B: mov.b64 %rd1, 20; $L__C:"
        )
        .replace(": ", ":\n")
        .replace("$L_brx_0:\n", "$L_brx_0: ")
    };
    let call = "{\n.param .b64 param0; .param .b32 param1; .param .align 8 .b8 retval0[8]; st.param.b32 [param1], 5;
        st.param.b64 [param0], 0x700000003; call.uni (retval0), both, (param0, param1);
        ld.param.v2.b32 {%r2, %r3}, [retval0];\n}\n mov.b64 %rd1, {%r3, %r2};";
    check(&[(loops, 10), (&choice(0), 10), (&choice(1), 20), (call, 8 << 32 | 7)]);
    assert_eq!(run(&choice(2)).unwrap_err().problem, "there is no target 2");
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (body, problem) in [
        ("add.s64 %rd1, 1, 2; trap; exit;", "trap"),
        ("add.s64 %rd1, 1, 2; exit;", "exit"),
        (
            "add.s64 %rd1, 1, 2; add.f32 %r1, 0f00000000, 0f00000000;",
            "unknown instruction add.f32 %r1, 0f00000000, 0f00000000",
        ),
        ("add.s64 %rd1, 1, 2; add.s64 %rd1, 1;", "unknown instruction add.s64 %rd1, 1"),
        ("add.s64 %rd1, 1, 2; cvt.s16.s32 %r1, 5;", "unknown instruction cvt.s16.s32 %r1, 5"),
        ("add.s64 %rd1, 1, 2; ld.weak.b64 %rd1, [%rd0];", "unknown instruction ld.weak.b64: .weak"),
        ("add.s64 %rd1, 1, 2; add.s64 %rd99, 1, 2;", "there is no register %rd99"),
        ("add.s64 %rd1, 1, 2; ld.b64 %rd1, [elsewhere];", "unknown operand elsewhere"),
        ("mov.b64 %rd2, 8; ld.b64 %rd1, [%rd2];", "8 bytes are read at 0x8"),
        ("mov.b64 %rd2, -8; st.b64 [%rd2], 1;", "8 bytes are written at 0xfffffffffffffff8"),
        ("$L__BB0_1:\n bra.uni $L__BB0_1;", "it runs too long"),
    ] {
        let fault = run(body).unwrap_err();
        let second = text(body).lines().position(|line| line.contains(".reg .b64 %rd<9>")).unwrap() as u32 + 4;
        assert_eq!((fault.function.as_str(), fault.problem.as_str(), fault.line), ("test", problem, second), "{body}");
    }
    let odd = run("ld.b32 %r1, [%rd0+2];").unwrap_err().problem;
    assert!(odd.starts_with("4 bytes are read at"), "{odd}");
    assert_eq!(run("bra.uni $L__nowhere;").unwrap_err().problem, "there is no $L__nowhere");
    assert_eq!(run("call.uni nobody;").unwrap_err().problem, "it is called and not there");
}
