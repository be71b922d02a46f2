#!/bin/sh
# run.sh OUT: checks and times the kernels on a machine with an NVIDIA GPU, in at most eight
# minutes. It stands in the folder that folder.sh builds, and needs the driver; parts that need
# nvidia-smi, compute-sanitizer, ncu or CuPy say so where they lack it. A part that fails or
# takes too long leaves what it has, and the next one begins. OUT then holds
#
#   device.txt     the device, the driver, and how every part ended
#   same.txt       (a) the same samples as on the CPU: every kernel, law and type of queue
#   sanitizer.txt  (b) memcheck and racecheck of compute-sanitizer
#   kernels.csv    (c) steps a second of every kernel by number of chains, on the GPU and the CPU
#   dense.txt      (c) the dense recurrence in CuPy, and the program answers
#   seconds.csv    (d) seconds to 1 % of the mean wait
#   profile.csv    (e) occupancy, registers, local memory, shares of the limits, by ncu
#   papers.csv     (f) certified samples of Table 1, and the limit of Figure 3
#
# Benchmarks print as they run, into FILE.txt; that becomes FILE.csv when they end or are stopped.
# MJQ_GPU_CHAINS, MJQ_GPU_JOBS and MJQ_GPU_SECONDS make them smaller, MJQ_EFFORT=quick the
# answers. PARTS names the parts to run, all unless told otherwise. Exit status 1: a part
# failed.
set -u
here=$(cd "$(dirname "$0")" && pwd -P)
mkdir -p "$1"
out=$(cd "$1" && pwd -P)
failed=0
# Where the driver keeps translated kernels, so that it translates them once.
export CUDA_CACHE_PATH="${CUDA_CACHE_PATH:-${TMPDIR:-/tmp}/mjq-cuda-cache}" MJQ_EFFORT="${MJQ_EFFORT:-full}" MJQ_REMEMBER=off
# Containers often have the driver's library here, unknown to the loader.
[ ! -e /usr/local/nvidia/lib64/libcuda.so.1 ] || export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}/usr/local/nvidia/lib64"
: >"$out/device.txt"

# part NAME SECONDS FILE COMMAND... appends what a command prints to a file and says how it ended.
part() {
	name=$1 limit=$2 file=$out/$3
	shift 3
	case " ${PARTS:-$name} " in *" $name "*) ;; *) return ;; esac
	echo "== $name" | tee -a "$file"
	began=$(date +%s)
	timeout -k 5 "$limit" "$@" >>"$file" 2>&1
	status=$?
	tail -n 3 "$file"
	case $status in
	0) ended=done ;;
	3) ended='left out' ;;
	124 | 137) ended="stopped at its limit of $limit s" failed=1 ;;
	*) ended="FAILED with status $status" failed=1 ;;
	esac
	echo "$name: $ended after $(($(date +%s) - began)) s" | tee -a "$out/device.txt"
}

# with TOOL COMMAND... runs a command if there is the tool.
with='command -v "$1" >/dev/null 2>&1 || { echo "there is no $1 on this machine"; exit 3; }; shift; exec "$@"'
# bench NAME SECONDS FILE PATTERN appends benchmarks to FILE.csv as rows "benchmark,value,unit". They
# go to a file first: some awks read a pipe by 4096 bytes, and lose them when they are stopped.
bench() {
	rm -f "$out/$3.txt"
	part "$1" "$2" "$3.txt" "$here/gpu.test" -test.run '^$' -test.bench "$4" -test.benchtime 1x -test.v
	[ ! -e "$out/$3.txt" ] || awk '
		/^Benchmark/ && NF > 2 { for (i = 3; i < NF; i += 2) print $1 "," $i "," $(i + 1); next }
		!/^Benchmark/ { print "# " $0 }' "$out/$3.txt" >>"$out/$3.csv"
	rm -f "$out/$3.txt"
}
# profile KERNEL TEST has ncu watch the first launch of a kernel.
profile() {
	part profile 15 profile.csv sh -c "$with" - ncu ncu --clock-control none --target-processes all --csv --page raw -k "$1" --launch-count 1 \
		--metrics launch__registers_per_thread,launch__grid_size,launch__block_size,launch__shared_mem_per_block_dynamic,sm__warps_active.avg.pct_of_peak_sustained_active,sm__maximum_warps_per_active_cycle_pct,smsp__issue_active.avg.pct_of_peak_sustained_active,sm__throughput.avg.pct_of_peak_sustained_elapsed,gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed,dram__throughput.avg.pct_of_peak_sustained_elapsed,l1tex__t_sector_hit_rate.pct,smsp__thread_inst_executed_per_inst_executed.ratio,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum,gpu__time_duration.sum \
		"$here/gpu.test" -test.run "^TestProfileOnTheDriver/^$2\$"
}

part device 5 device.txt sh -c "$with" - nvidia-smi nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.memory,power.limit --format=csv
part opens 40 device.txt "$here/gpu.test" -test.run '^TestDriverOpens$' -test.v
part same 70 same.txt "$here/gpu.test" -test.run '^TestOnTheDriver$' -test.v
part memcheck 40 sanitizer.txt sh -c "$with" - compute-sanitizer compute-sanitizer --tool memcheck --error-exitcode 9 "$here/gpu.test" -test.run '^TestSmallOnTheDriver$' -test.v
# Every kernel once: races are hundreds of times as slow to look for as to run into.
part racecheck 60 sanitizer.txt sh -c "$with" - compute-sanitizer compute-sanitizer --tool racecheck --error-exitcode 9 "$here/gpu.test" -test.run '^TestSmallOnTheDriver/^(five_classes|1_and_256|cpu_and_gpu|many)$' -test.v
bench kernels 90 kernels '^BenchmarkKernels$'
bench blocks 30 kernels '^BenchmarkBlocks$'
part dense 20 dense.txt sh -c 'python3 -c "import cupy" 2>/dev/null || { echo "there is no CuPy on this machine"; exit 3; }; exec python3 "$@"' - "$here/dense.py" --jobs 200 --chains 1000 10000 100000
bench seconds 70 seconds '^BenchmarkOnePercentOnGPU$'
profile mjq_forward_few forward
profile mjq_backward_many backward
profile mjq_certified_few certified
bench papers 60 papers '^BenchmarkPapersOnGPU$'
part answers 20 dense.txt "$here/answers"
exit $failed
