target triple = "nvptx64-nvidia-cuda"
; Kernels that the tests of the emulator execute, each with what LLVM makes of one kind of code.
@buffer = internal addrspace(3) global [256 x float] undef, align 16
@table = internal unnamed_addr constant [5 x double] [double 1.0, double -2.5, double 3.0, double 0.0, double 5.0]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier0()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32,i32,i32,i32)
declare float @llvm.fma.f32(float,float,float)

; out[i] = x[i] * y[i] + 1, four at a time, for n a multiple of four
define ptx_kernel void @map4(ptr addrspace(1) noalias readonly align 16 %x, ptr addrspace(1) noalias readonly align 16 %y, ptr addrspace(1) noalias align 16 %o, i64 %n) {
  %i = call i64 @index()
  %at = shl i64 %i, 2
  %in = icmp ult i64 %at, %n
  br i1 %in, label %go, label %end
go:
  %px = getelementptr float, ptr addrspace(1) %x, i64 %at
  %py = getelementptr float, ptr addrspace(1) %y, i64 %at
  %po = getelementptr float, ptr addrspace(1) %o, i64 %at
  %vx = load <4 x float>, ptr addrspace(1) %px, align 16
  %vy = load <4 x float>, ptr addrspace(1) %py, align 16
  %p = fmul <4 x float> %vx, %vy
  %s = fadd <4 x float> %p, <float 1.0, float 1.0, float 1.0, float 1.0>
  store <4 x float> %s, ptr addrspace(1) %po, align 16
  br label %end
end:
  ret void
}
define internal i64 @index() alwaysinline {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %m = mul i32 %b, %d
  %s = add i32 %m, %t
  %i = zext i32 %s to i64
  ret i64 %i
}
; out[block] = the sum of 256 elements: through the lanes of warps, then shared memory
define ptx_kernel void @sum(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %o) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %i = call i64 @index()
  %p = getelementptr float, ptr addrspace(1) %x, i64 %i
  %v = load float, ptr addrspace(1) %p
  br label %loop
loop:
  %s = phi float [ %v, %entry ], [ %s1, %loop ]
  %d = phi i32 [ 16, %entry ], [ %d1, %loop ]
  %si = bitcast float %s to i32
  %oi = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %si, i32 %d, i32 31)
  %of = bitcast i32 %oi to float
  %s1 = fadd float %s, %of
  %d1 = lshr i32 %d, 1
  %more = icmp ne i32 %d1, 0
  br i1 %more, label %loop, label %done
done:
  %lane = and i32 %t, 31
  %w = lshr i32 %t, 5
  %first = icmp eq i32 %lane, 0
  br i1 %first, label %put, label %wait
put:
  %ps = getelementptr float, ptr addrspace(3) @buffer, i32 %w
  store float %s1, ptr addrspace(3) %ps
  br label %wait
wait:
  call void @llvm.nvvm.barrier0()
  %zero = icmp eq i32 %t, 0
  br i1 %zero, label %last, label %end
last:
  br label %add
add:
  %j = phi i32 [ 0, %last ], [ %j1, %add ]
  %a = phi float [ 0.0, %last ], [ %a1, %add ]
  %pj = getelementptr float, ptr addrspace(3) @buffer, i32 %j
  %vj = load float, ptr addrspace(3) %pj
  %a1 = fadd float %a, %vj
  %j1 = add i32 %j, 1
  %mj = icmp ult i32 %j1, 8
  br i1 %mj, label %add, label %store
store:
  %bz = zext i32 %b to i64
  %po = getelementptr float, ptr addrspace(1) %o, i64 %bz
  store float %a1, ptr addrspace(1) %po
  br label %end
end:
  ret void
}
; a 16 x 16 transpose through shared memory whose rows have one more word
@tile = internal addrspace(3) global [272 x float] undef, align 4
define ptx_kernel void @transpose(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %r = lshr i32 %t, 4
  %c = and i32 %t, 15
  %px = getelementptr float, ptr addrspace(1) %x, i32 %t
  %v = load float, ptr addrspace(1) %px
  %row = mul i32 %r, 17
  %at = add i32 %row, %c
  %ps = getelementptr float, ptr addrspace(3) @tile, i32 %at
  store float %v, ptr addrspace(3) %ps
  call void @llvm.nvvm.barrier0()
  %row2 = mul i32 %c, 17
  %at2 = add i32 %row2, %r
  %ps2 = getelementptr float, ptr addrspace(3) @tile, i32 %at2
  %v2 = load float, ptr addrspace(3) %ps2
  %po = getelementptr float, ptr addrspace(1) %o, i32 %t
  store float %v2, ptr addrspace(1) %po
  ret void
}
; products of numbers of 256 bits, the lower half
define ptx_kernel void @wide(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias readonly %y, ptr addrspace(1) noalias %o) {
  %i = call i64 @index()
  %px = getelementptr i256, ptr addrspace(1) %x, i64 %i
  %py = getelementptr i256, ptr addrspace(1) %y, i64 %i
  %po = getelementptr i256, ptr addrspace(1) %o, i64 %i
  %a = load i256, ptr addrspace(1) %px, align 16
  %b = load i256, ptr addrspace(1) %py, align 16
  %m = mul i256 %a, %b
  %s = sub i256 %m, %a
  store i256 %s, ptr addrspace(1) %po, align 16
  ret void
}
; a local array that is indexed, a function that is called with a pointer to it, and a table
define internal double @pick(ptr %p, i32 %i) noinline {
  %m = urem i32 %i, 5
  %q = getelementptr double, ptr %p, i32 %m
  %v = load double, ptr %q
  %t = getelementptr [5 x double], ptr @table, i32 0, i32 %m
  %w = load double, ptr %t
  %s = fadd double %v, %w
  store double %s, ptr %q
  ret double %s
}
define ptx_kernel void @local(ptr addrspace(1) noalias %o, double %f, i8 %k) {
entry:
  %array = alloca [5 x double]
  %i = call i64 @index()
  %ii = trunc i64 %i to i32
  br label %fill
fill:
  %j = phi i32 [ 0, %entry ], [ %j1, %fill ]
  %p = getelementptr double, ptr %array, i32 %j
  %jf = sitofp i32 %j to double
  %v = fmul double %jf, %f
  store double %v, ptr %p
  %j1 = add i32 %j, 1
  %more = icmp ult i32 %j1, 5
  br i1 %more, label %fill, label %use, !llvm.loop !0
use:
  %a = call double @pick(ptr %array, i32 %ii)
  %kk = zext i8 %k to i32
  %i2 = add i32 %ii, %kk
  %b = call double @pick(ptr %array, i32 %i2)
  %s = fsub double %a, %b
  %po = getelementptr double, ptr addrspace(1) %o, i64 %i
  store double %s, ptr addrspace(1) %po
  ret void
}
; bytes: saturated sums of eight bits with signs, through a generic pointer
declare i8 @llvm.sadd.sat.i8(i8, i8)
define ptx_kernel void @bytes(ptr %x, ptr %o, i32 %n) {
  %i = call i64 @index()
  %nn = zext i32 %n to i64
  %in = icmp ult i64 %i, %nn
  br i1 %in, label %go, label %end
go:
  %px = getelementptr i8, ptr %x, i64 %i
  %v = load i8, ptr %px
  %s = call i8 @llvm.sadd.sat.i8(i8 %v, i8 100)
  %po = getelementptr i8, ptr %o, i64 %i
  store i8 %s, ptr %po
  br label %end
end:
  ret void
}
; halves and bfloats
define ptx_kernel void @halves(ptr addrspace(1) noalias readonly %x, ptr addrspace(1) noalias %o, half %k) {
  %i = call i64 @index()
  %px = getelementptr half, ptr addrspace(1) %x, i64 %i
  %v = load half, ptr addrspace(1) %px
  %m = fmul half %v, %k
  %s = fadd half %m, 1.5
  %e = fpext half %s to float
  %b = fptrunc float %e to bfloat
  %po = getelementptr bfloat, ptr addrspace(1) %o, i64 %i
  store bfloat %b, ptr addrspace(1) %po
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
