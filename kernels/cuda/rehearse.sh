#!/bin/sh
# rehearse.sh: runs what folder.sh has built in a bare Debian root without Go, Python or a
# network, against the emulated driver, as a machine with a GPU would: first as it is, then with
# two parts broken on purpose, which must not stop the others. nvidia-smi, compute-sanitizer and
# ncu are stand-ins that run the program. Needs root and debootstrap; three minutes.
set -eu
cd "$(dirname "$0")/../.."
die() { echo "rehearse.sh: $*" >&2; exit 1; }
[ "$(id -u)" = 0 ] || die "a chroot needs root"
command -v debootstrap >/dev/null || die "needs debootstrap: apt-get install debootstrap"
[ -x build/gpu-run/run.sh ] || die "run make gpu-folder first"
root=$PWD/build/.gpu-rehearsal # Go passes over names that begin with a dot
trap 'rm -rf "$root"' EXIT
rm -rf "$root"
debootstrap --variant=minbase "$(sed -n 's/^FROM golang:[^-]*-\([a-z]*\).*/\1/p' docker/Dockerfile)" "$root" http://deb.debian.org/debian >build/gpu-rehearsal.log ||
	{ tail build/gpu-rehearsal.log; exit 1; }
mkdir -p "$root/mjq/driver"
cp -r build/gpu-run/. "$root/mjq"
cp .mjq/cuda/emulated/libcuda.so.1 "$root/mjq/driver"
cat >"$root/usr/local/bin/nvidia-smi" <<'END'
#!/bin/sh
echo "emulated, $*"
END
# The command line of a tool begins with its own options, and the program is the first that is a file.
cat >"$root/usr/local/bin/compute-sanitizer" <<'END'
#!/bin/sh
while ! [ -f "$1" ]; do shift; done
exec "$@"
END
cp "$root/usr/local/bin/compute-sanitizer" "$root/usr/local/bin/ncu"
chmod +x "$root"/usr/local/bin/*

# bare OUT runs the folder, without a network.
bare() {
	unshare --net --pid --fork --kill-child chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/bin:/usr/bin:/bin LD_LIBRARY_PATH=/mjq/driver \
		MJQ_GPU_CHAINS='20 60' MJQ_GPU_JOBS=100 MJQ_GPU_SECONDS=1 MJQ_EFFORT=quick /mjq/run.sh "/out/$1"
}
# ended OUT STATUS: how many parts ended so.
ended() { grep -c ": $2" "$root/out/$1/device.txt" || :; }

mkdir -p "$root/proc" "$root/dev"
mount -t proc proc "$root/proc"
trap 'umount "$root/proc"; rm -rf "$root"' EXIT
! chroot "$root" sh -c 'command -v go || command -v python3' || die "the root has Go or Python"
bare whole || { cat "$root/out/whole/device.txt"; die "a part failed"; }
cat "$root/out/whole/device.txt"
[ "$(ended whole done)" = 13 ] && [ "$(ended whole 'left out')" = 1 ] || die "not thirteen parts done and one left out"
[ "$(find "$root/out/whole" -type f | wc -l)" -le 8 ] || die "more than eight files"

printf '#!/bin/sh\nexit 7\n' >"$root/usr/local/bin/compute-sanitizer"
printf '#!/bin/sh\necho begun\nkill -ABRT $$\n' >"$root/mjq/answers"
! bare broken >/dev/null || die "run.sh is content although parts are broken"
[ "$(ended broken FAILED)" = 3 ] && [ "$(ended broken done)" = 10 ] || { cat "$root/out/broken/device.txt"; die "broken parts have stopped others"; }
echo "rehearse.sh: every part runs, and three that are broken stop no other"
