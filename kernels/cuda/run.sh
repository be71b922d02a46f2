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
#   dense.txt      (c) the dense recurrence in CuPy, and the notebook's program
#   seconds.csv    (d) seconds to 1 % of the mean wait
#   profile.csv    (e) occupancy, registers, local memory, shares of the limits, by ncu
#   papers.csv     (f) certified samples of Table 1, and the limit of Figure 3
#
# MJQ_GPU_CHAINS, MJQ_GPU_JOBS and MJQ_GPU_SECONDS make the benchmarks smaller, MJQ_EFFORT=quick
# the notebook. PARTS names the parts to run, all unless told otherwise. Exit status 1: a part
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
# bench PROGRAM PATTERN prints benchmarks as rows "benchmark,value,unit".
bench='"$1" -test.run "^$" -test.bench "$2" -test.benchtime 1x 2>&1 | awk "
	/^Benchmark/ && NF > 2 { for (i = 3; i < NF; i += 2) print \$1 \",\" \$i \",\" \$(i + 1); fflush(); next }
	{ print \"# \" \$0; fflush() }
	/^(--- FAIL|FAIL|panic:)/ { failed = 1 }
	END { exit failed }"'

part device 5 device.txt sh -c "$with" - nvidia-smi nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.memory,power.limit --format=csv
part opens 40 device.txt "$here/gpu.test" -test.run '^TestDriverOpens$' -test.v
part same 70 same.txt "$here/gpu.test" -test.run '^TestOnTheDriver$' -test.v
part memcheck 40 sanitizer.txt sh -c "$with" - compute-sanitizer compute-sanitizer --tool memcheck --error-exitcode 9 "$here/gpu.test" -test.run '^TestSmallOnTheDriver$' -test.v
part racecheck 30 sanitizer.txt sh -c "$with" - compute-sanitizer compute-sanitizer --tool racecheck --error-exitcode 9 "$here/gpu.test" -test.run '^TestSmallOnTheDriver$' -test.v
part kernels 80 kernels.csv sh -c "$bench" - "$here/gpu.test" '^BenchmarkKernels$'
part dense 20 dense.txt sh -c 'python3 -c "import cupy" 2>/dev/null || { echo "there is no CuPy on this machine"; exit 3; }; exec python3 "$@"' - "$here/dense.py" --jobs 200 --chains 1000 10000 100000 1000000
part seconds 60 seconds.csv sh -c "$bench" - "$here/gpu.test" '^BenchmarkOnePercentOnGPU$'
part profile 35 profile.csv sh -c "$with" - ncu ncu --clock-control none --target-processes all --csv --page raw \
	-k 'regex:^mjq_(forward_few|backward_many|certified_few)$' --launch-count 9 \
	--metrics launch__registers_per_thread,launch__grid_size,launch__block_size,launch__shared_mem_per_block_dynamic,sm__warps_active.avg.pct_of_peak_sustained_active,sm__maximum_warps_per_active_cycle_pct,smsp__issue_active.avg.pct_of_peak_sustained_active,sm__throughput.avg.pct_of_peak_sustained_elapsed,gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed,dram__throughput.avg.pct_of_peak_sustained_elapsed,smsp__inst_executed_op_local_ld.sum,smsp__inst_executed_op_local_st.sum,gpu__time_duration.sum \
	"$here/gpu.test" -test.run '^TestProfileOnTheDriver$'
part papers 50 papers.csv sh -c "$bench" - "$here/gpu.test" '^BenchmarkPapersOnGPU$'
part notebook 20 dense.txt "$here/notebook"
exit $failed
