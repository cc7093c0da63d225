; Instructions of every kind in the forms that LLVM gives them; only read by the tests.
target triple = "nvptx64-nvidia-cuda"
@tab = internal addrspace(4) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 0x7FF0000000000000], align 16
@gtab = internal addrspace(1) constant [3 x i64] [i64 1, i64 -2, i64 3]
@ctab = internal unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
@sh = internal addrspace(3) global [256 x float] undef, align 16
@dyn = external addrspace(3) global [0 x i8], align 16
@cnt = internal addrspace(1) global i32 0
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32,i32,i32,i32)
declare {i32,i1} @llvm.nvvm.shfl.sync.down.i32p(i32,i32,i32,i32)
declare float @llvm.nvvm.shfl.sync.idx.f32(i32,float,i32,i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32,i1)
declare i1 @llvm.nvvm.vote.all.sync(i32,i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare float @llvm.fma.f32(float,float,float)
declare double @llvm.fma.f64(double,double,double)
declare half @llvm.fma.f16(half,half,half)
declare bfloat @llvm.fma.bf16(bfloat,bfloat,bfloat)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
declare float @llvm.floor.f32(float)
declare float @llvm.ceil.f32(float)
declare float @llvm.rint.f32(float)
declare float @llvm.roundeven.f32(float)
declare float @llvm.round.f32(float)
declare float @llvm.trunc.f32(float)
declare float @llvm.fabs.f32(float)
declare float @llvm.copysign.f32(float,float)
declare float @llvm.minnum.f32(float,float)
declare float @llvm.maximum.f32(float,float)
declare double @llvm.maximum.f64(double,double)
declare half @llvm.maximum.f16(half,half)
declare i32 @llvm.smin.i32(i32,i32)
declare i32 @llvm.ctlz.i32(i32,i1)
declare i32 @llvm.cttz.i32(i32,i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.ctlz.i64(i64,i1)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i64 @llvm.fshl.i64(i64,i64,i64)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare i64 @llvm.fptoui.sat.i64.f32(float)
declare i8 @llvm.fptosi.sat.i8.f32(float)
declare i32 @llvm.sadd.sat.i32(i32,i32)
declare {i32,i1} @llvm.umul.with.overflow.i32(i32,i32)
declare void @llvm.trap()
declare void @llvm.nvvm.membar.gl()

define ptx_kernel void @k1(ptr addrspace(1) noalias readonly align 16 %p, ptr addrspace(1) %q, i32 %n, i64 %m, i8 %c) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nt = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %x0 = mul i32 %b, %nt
  %x = add i32 %x0, %t
  %ok = icmp ult i32 %x, %n
  br i1 %ok, label %a, label %e
a:
  %z = zext i32 %x to i64
  %g = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %z
  %v = load <4 x float>, ptr addrspace(1) %g, align 16
  %e0 = extractelement <4 x float> %v, i32 0
  %e1 = extractelement <4 x float> %v, i32 1
  %e2 = extractelement <4 x float> %v, i32 2
  %i = and i32 %x, 3
  %tp = getelementptr float, ptr addrspace(4) @tab, i32 %i
  %tv = load float, ptr addrspace(4) %tp
  %f = call float @llvm.fma.f32(float %e0, float %e1, float %tv)
  %s = call float @llvm.sqrt.f32(float %f)
  %d = fdiv float %s, %e2
  %sp = getelementptr float, ptr addrspace(3) @sh, i32 %t
  store float %d, ptr addrspace(3) %sp
  call void @llvm.nvvm.barrier0()
  %ci = getelementptr i32, ptr @ctab, i32 %i
  %cv = load i32, ptr %ci
  %sx = xor i32 %t, %cv
  %sp2 = getelementptr float, ptr addrspace(3) @sh, i32 %sx
  %dd = load float, ptr addrspace(3) %sp2
  %di = bitcast float %dd to i32
  %sf = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %di, i32 16, i32 31)
  %sd = call {i32,i1} @llvm.nvvm.shfl.sync.down.i32p(i32 -1, i32 %sf, i32 1, i32 31)
  %sd0 = extractvalue {i32,i1} %sd, 0
  %sd1 = extractvalue {i32,i1} %sd, 1
  %bal = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %sd1)
  %allv = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %sd1)
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %av = zext i1 %allv to i32
  %r0 = add i32 %bal, %av
  %r1 = add i32 %r0, %sd0
  %at = atomicrmw add ptr addrspace(1) @cnt, i32 %r1 seq_cst
  %at2 = atomicrmw fadd ptr addrspace(1) @cnt, float %d monotonic
  %cx = cmpxchg ptr addrspace(1) @cnt, i32 %r1, i32 %at seq_cst seq_cst
  call void @llvm.nvvm.membar.gl()
  %qp = getelementptr i32, ptr addrspace(1) %q, i64 %z
  store i32 %at, ptr addrspace(1) %qp
  %gp = getelementptr i64, ptr addrspace(1) @gtab, i32 %i
  %gv = load i64, ptr addrspace(1) %gp
  %qq = getelementptr i64, ptr addrspace(1) %q, i64 %gv
  store i64 %m, ptr addrspace(1) %qq
  %q8 = getelementptr i8, ptr addrspace(1) %q, i64 %m
  %l8 = load i8, ptr addrspace(1) %q8
  %s8 = add i8 %l8, %c
  store i8 %s8, ptr addrspace(1) %q8
  %dp = getelementptr i8, ptr addrspace(3) @dyn, i32 %x
  store i8 %s8, ptr addrspace(3) %dp
  br label %e
e:
  ret void
}
define internal float @helper(float %x, i64 %y, ptr %p) noinline {
  %g = sitofp i64 %y to float
  %r = fmul float %x, %g
  store float %r, ptr %p
  ret float %r
}
define ptx_kernel void @k2(ptr addrspace(1) %p, i32 %n) {
  %loc = alloca [8 x float]
  %x = load float, ptr addrspace(1) %p
  %lp = getelementptr float, ptr %loc, i32 %n
  %r = call float @helper(float %x, i64 5, ptr %lp)
  %u = load float, ptr %loc
  %w = fadd float %u, %r
  store float %w, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @ops(ptr addrspace(1) %p, i32 %a, i32 %b, i64 %c, i64 %d, float %f, float %g, double %x, double %y, half %h, half %h2, bfloat %bf, i16 %s, i16 %s2, i8 %c8, i8 %d8) {
  %1 = call float @llvm.floor.f32(float %f)
  store volatile float %1, ptr addrspace(1) %p
  %2 = call float @llvm.rint.f32(float %f)
  store volatile float %2, ptr addrspace(1) %p
  %3 = call float @llvm.round.f32(float %f)
  store volatile float %3, ptr addrspace(1) %p
  %4 = call float @llvm.copysign.f32(float %f, float %g)
  store volatile float %4, ptr addrspace(1) %p
  %5 = call float @llvm.minnum.f32(float %f, float %g)
  store volatile float %5, ptr addrspace(1) %p
  %6 = call float @llvm.maximum.f32(float %f, float %g)
  store volatile float %6, ptr addrspace(1) %p
  %7 = call double @llvm.maximum.f64(double %x, double %y)
  store volatile double %7, ptr addrspace(1) %p
  %8 = call half @llvm.maximum.f16(half %h, half %h2)
  store volatile half %8, ptr addrspace(1) %p
  %9 = call i32 @llvm.smin.i32(i32 %a, i32 %b)
  store volatile i32 %9, ptr addrspace(1) %p
  %10 = call i32 @llvm.ctlz.i32(i32 %a, i1 0)
  store volatile i32 %10, ptr addrspace(1) %p
  %11 = call i32 @llvm.cttz.i32(i32 %a, i1 0)
  store volatile i32 %11, ptr addrspace(1) %p
  %12 = call i64 @llvm.ctpop.i64(i64 %c)
  store volatile i64 %12, ptr addrspace(1) %p
  %13 = call i64 @llvm.ctlz.i64(i64 %c, i1 0)
  store volatile i64 %13, ptr addrspace(1) %p
  %14 = call i32 @llvm.bitreverse.i32(i32 %a)
  store volatile i32 %14, ptr addrspace(1) %p
  %15 = call i32 @llvm.bswap.i32(i32 %a)
  store volatile i32 %15, ptr addrspace(1) %p
  %16 = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 %9)
  store volatile i32 %16, ptr addrspace(1) %p
  %17 = call i64 @llvm.fshl.i64(i64 %c, i64 %d, i64 13)
  store volatile i64 %17, ptr addrspace(1) %p
  %18 = call i32 @llvm.fptosi.sat.i32.f32(float %f)
  store volatile i32 %18, ptr addrspace(1) %p
  %19 = call i64 @llvm.fptoui.sat.i64.f32(float %f)
  store volatile i64 %19, ptr addrspace(1) %p
  %20 = call i8 @llvm.fptosi.sat.i8.f32(float %f)
  store volatile i8 %20, ptr addrspace(1) %p
  %21 = call {i32,i1} @llvm.umul.with.overflow.i32(i32 %a, i32 %b)
  %22 = extractvalue {i32,i1} %21, 1
  %23 = extractvalue {i32,i1} %21, 0
  %24 = select i1 %22, i32 0, i32 %23
  store volatile i32 %24, ptr addrspace(1) %p
  %25 = call i32 @llvm.sadd.sat.i32(i32 %a, i32 %b)
  store volatile i32 %25, ptr addrspace(1) %p
  %26 = fadd half %h, %h2
  store volatile half %26, ptr addrspace(1) %p
  %27 = fpext half %h to float
  store volatile float %27, ptr addrspace(1) %p
  %28 = fptrunc float %f to half
  store volatile half %28, ptr addrspace(1) %p
  %29 = fptrunc float %f to bfloat
  store volatile bfloat %29, ptr addrspace(1) %p
  %30 = fadd bfloat %bf, %29
  store volatile bfloat %30, ptr addrspace(1) %p
  %31 = fptrunc double %x to float
  store volatile float %31, ptr addrspace(1) %p
  %32 = fpext float %f to double
  store volatile double %32, ptr addrspace(1) %p
  %33 = sdiv i32 %a, %b
  store volatile i32 %33, ptr addrspace(1) %p
  %34 = urem i64 %c, %d
  store volatile i64 %34, ptr addrspace(1) %p
  %35 = fcmp une float %f, %g
  %36 = select i1 %35, double %x, double %y
  store volatile double %36, ptr addrspace(1) %p
  %37 = fcmp ult float %f, %g
  %38 = zext i1 %37 to i8
  store volatile i8 %38, ptr addrspace(1) %p
  %39 = sext i32 %a to i128
  %40 = sext i64 %c to i128
  %41 = mul i128 %39, %40
  store volatile i128 %41, ptr addrspace(1) %p
  %42 = mul i16 %s, %s2
  store volatile i16 %42, ptr addrspace(1) %p
  %43 = ashr i16 %s, 3
  store volatile i16 %43, ptr addrspace(1) %p
  %44 = icmp slt i8 %c8, %d8
  %45 = select i1 %44, i8 %c8, i8 %d8
  store volatile i8 %45, ptr addrspace(1) %p
  %46 = sext i8 %c8 to i32
  store volatile i32 %46, ptr addrspace(1) %p
  %47 = lshr i32 %a, 5
  %48 = and i32 %47, 255
  store volatile i32 %48, ptr addrspace(1) %p
  %49 = add i128 %39, %40
  store volatile i128 %49, ptr addrspace(1) %p
  %50 = frem float %f, %g
  store volatile float %50, ptr addrspace(1) %p
  %51 = fneg float %f
  store volatile float %51, ptr addrspace(1) %p
  %52 = fneg half %h
  store volatile half %52, ptr addrspace(1) %p
  %53 = xor i1 %37, %44
  %54 = zext i1 %53 to i32
  store volatile i32 %54, ptr addrspace(1) %p
  %55 = sitofp i64 %c to float
  store volatile float %55, ptr addrspace(1) %p
  %56 = uitofp i8 %c8 to half
  store volatile half %56, ptr addrspace(1) %p
  %57 = fptosi float %f to i64
  store volatile i64 %57, ptr addrspace(1) %p
  %58 = fcmp uno double %x, %y
  %59 = zext i1 %58 to i32
  store volatile i32 %59, ptr addrspace(1) %p
  %60 = fcmp ord half %h, %h2
  %61 = zext i1 %60 to i32
  store volatile i32 %61, ptr addrspace(1) %p
  %62 = sitofp i32 %a to bfloat
  store volatile bfloat %62, ptr addrspace(1) %p
  %63 = fpext bfloat %bf to float
  store volatile float %63, ptr addrspace(1) %p
  call void @llvm.trap()
  ret void
}
define ptx_kernel void @bf(ptr addrspace(1) %p, i32 %n, <2 x half> %h) {
  switch i32 %n, label %d [ i32 0, label %a 
  i32 1, label %b 
  i32 2, label %c 
  i32 3, label %d 
  i32 4, label %e ]
a:
  store volatile i32 11, ptr addrspace(1) %p
  br label %d
b:
  store volatile i32 12, ptr addrspace(1) %p
  br label %d
c:
  store volatile i32 13, ptr addrspace(1) %p
  br label %d
e:
  store volatile <2 x half> %h, ptr addrspace(1) %p
  %v = load <2 x half>, ptr addrspace(1) %p
  %hh = fadd <2 x half> %v, %h
  store volatile <2 x half> %hh, ptr addrspace(1) %p
  br label %d
d:
  ret void
}
