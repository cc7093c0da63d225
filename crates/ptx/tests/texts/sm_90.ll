; Atomics, asynchronous copies, matrices and what else newer targets have; only read by the tests.
target triple = "nvptx64-nvidia-cuda"
@tabs = internal addrspace(3) global [64 x float] undef, align 16
@bar = internal addrspace(3) global i32 undef
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare void @llvm.nvvm.cp.async.wait.all()
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,<2 x half>,float,float,float,float)
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32,i32,i32,i32,i32,i32,i32,i32,i32,i32)
declare {float,float,float,float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32,i32,i32,i32,i32,i32,float,float,float,float)
declare {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare {i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3))
declare i32 @llvm.nvvm.redux.sync.add(i32,i32)
declare i32 @llvm.nvvm.match.any.sync.i32(i32,i32)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.nvvm.rcp.approx.ftz.f(float)
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.fshl.i32(i32,i32,i32)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare i128 @llvm.fshr.i128(i128,i128,i128)
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr %g, i128 %w, i64 %z0, i1 %bit) {
  %a = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  %b = load atomic i32, ptr addrspace(1) %p unordered, align 4
  store atomic i32 %a, ptr addrspace(1) %q monotonic, align 4
  %x = atomicrmw xchg ptr %g, i32 4 monotonic
  %x1 = atomicrmw max ptr addrspace(3) @bar, i32 4 monotonic
  %x2 = atomicrmw umin ptr addrspace(1) %p, i64 4 monotonic
  %x3 = atomicrmw fadd ptr addrspace(1) %p, double 4.0 monotonic
  %x4 = atomicrmw uinc_wrap ptr addrspace(1) %p, i32 4 monotonic
  %x5 = atomicrmw or ptr addrspace(1) %p, i32 4 monotonic
  %x6 = atomicrmw fadd ptr addrspace(1) %p, half 4.0 monotonic
  %x7 = atomicrmw sub ptr addrspace(1) %p, i32 %a monotonic
  %ps = addrspacecast ptr addrspace(3) @tabs to ptr
  store float 1.0, ptr %ps
  %pg = addrspacecast ptr addrspace(1) %p to ptr
  store volatile ptr %ps, ptr addrspace(1) %p
  store volatile ptr %pg, ptr addrspace(1) %p
  %gg = addrspacecast ptr %g to ptr addrspace(1)
  store i32 %x, ptr addrspace(1) %gg
  %v = load <4 x i8>, ptr addrspace(1) %p
  %vv = add <4 x i8> %v, <i8 1, i8 2, i8 3, i8 4>
  store <4 x i8> %vv, ptr addrspace(1) %q
  %v16 = load <16 x i8>, ptr addrspace(1) %p
  %vv16 = add <16 x i8> %v16, %v16
  store <16 x i8> %vv16, ptr addrspace(1) %q
  %h8 = load <8 x half>, ptr addrspace(1) %p
  %hh8 = fmul <8 x half> %h8, %h8
  store <8 x half> %hh8, ptr addrspace(1) %q
  %d2 = load <2 x double>, ptr addrspace(1) %p
  %dd2 = fmul <2 x double> %d2, %d2
  store <2 x double> %dd2, ptr addrspace(1) %q
  %i1 = load <2 x i64>, ptr addrspace(3) @tabs, align 16
  store <2 x i64> %i1, ptr addrspace(1) %q
  %m = mul i128 %w, %w
  %dv = add i128 %m, %w
  store i128 %dv, ptr addrspace(1) %q
  %z = zext i64 %z0 to i256
  %sb = sub i256 %z, 7
  %zb = zext i1 %bit to i8
  store i8 %zb, ptr addrspace(1) %q
  %ro = call i32 @llvm.fshl.i32(i32 %a, i32 %a, i32 %b)
  store i32 %ro, ptr addrspace(1) %q
  %rd = call i32 @llvm.nvvm.redux.sync.add(i32 %ro, i32 -1)
  %mt = call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %rd)
  %ln = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %f = bitcast i32 %rd to float
  %ex = call float @llvm.nvvm.ex2.approx.f(float %f)
  %rc = call float @llvm.nvvm.rcp.approx.ftz.f(float %ex)
  %th = call float asm "tanh.approx.f32 $0, $1;", "=f,f"(float %rc)
  %s1 = add i32 %mt, %ln
  %bp = call i32 @llvm.nvvm.barrier0.popc(i32 %s1)
  store i32 %bp, ptr addrspace(1) %q
  store float %th, ptr addrspace(1) %q
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) @tabs, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) @tabs, ptr addrspace(1) %p)
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) @tabs, ptr addrspace(1) %p, i32 %a)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 1)
  call void @llvm.nvvm.cp.async.wait.all()
  %lm = call {i32,i32,i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) @tabs)
  %lm2 = call {i32,i32} @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x2.trans.b16.p3(ptr addrspace(3) @tabs)
  %l0 = extractvalue {i32,i32,i32,i32} %lm, 0
  %l1 = extractvalue {i32,i32} %lm2, 1
  %mm = call {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.bf16(i32 %l0,i32 %l0,i32 %l0,i32 %l0,i32 %l1,i32 %l1,float %th,float %th,float %th,float %th)
  %mm0 = extractvalue {float,float,float,float} %mm, 0
  %hx = bitcast i32 %l0 to <2 x half>
  %mn = call {float,float,float,float} @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %hx,<2 x half> %hx,<2 x half> %hx,<2 x half> %hx,<2 x half> %hx,<2 x half> %hx,float %mm0,float %th,float %th,float %th)
  %mn0 = extractvalue {float,float,float,float} %mn, 0
  %mk = call {i32,i32,i32,i32} @llvm.nvvm.mma.m16n8k32.row.col.s8(i32 %l0,i32 %l0,i32 %l0,i32 %l0,i32 %l1,i32 %l1,i32 %a,i32 %a,i32 %a,i32 %a)
  %mk0 = extractvalue {i32,i32,i32,i32} %mk, 0
  %mj = call {float,float,float,float} @llvm.nvvm.mma.m16n8k8.row.col.tf32(i32 %l0,i32 %l0,i32 %l0,i32 %l0,i32 %l1,i32 %l1,float %th,float %th,float %th,float %mn0)
  %mj0 = extractvalue {float,float,float,float} %mj, 0
  store float %mj0, ptr addrspace(1) %q
  store i32 %mk0, ptr addrspace(1) %q
  ret void
}
define ptx_kernel void @loop(ptr addrspace(1) %p, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [0,%entry],[%j,%l]
  %s = phi float [0.0,%entry],[%t,%l]
  %g = getelementptr float, ptr addrspace(1) %p, i64 %i
  %v = load float, ptr addrspace(1) %g
  %t = fadd float %s, %v
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %e, !llvm.loop !1
e:
  store float %t, ptr addrspace(1) %p
  ret void
}
!1 = distinct !{!1, !2}
!2 = !{!"llvm.loop.unroll.disable"}
