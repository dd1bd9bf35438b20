# A home on a disk of its own, which becomes full while a job runs: $1 Node, $2 the launcher, $3 an empty directory.
mount -t tmpfs -o size=32m none "$3" || exit 9
cd "$3" || exit 9
export TRAINYARD_HOME="$3/home"
trainyard() { "$node" "$launcher" "$@"; }
node=$1 launcher=$2
trap 'rm -f filler; trainyard down --force >/dev/null 2>&1' EXIT
cat > job.yaml <<YAML
apiVersion: batch.tensorstack.dev/v1beta1
kind: GenericJob
metadata: {name: full}
spec:
  successRules: [{worker: [0]}]
  failureRules: [{worker: [0]}]
  replicaSpecs:
    - type: worker
      template:
        spec:
          containers:
            - {name: c, image: i, command: [sh, -c, "echo here; until test -e $3/full; do sleep 0.05; done; head -c 100000 /dev/zero; exit 5"]}
YAML
trainyard run -f job.yaml --timeout 600s > out 2> err &
run=$!
until grep -q here out; do sleep 0.05; done
touch full.new
until ! cat /dev/zero >> filler 2>/dev/null; do :; done
mv full.new full
refused=$(trainyard run -f job.yaml --name other 2>&1)
echo "while it is full: exit $?, $refused"
until test -z "$(ps -o pid= --ppid "$(cat home/pods/*/containers/c/run-1/claim)")"; do sleep 0.05; done
rm filler
wait $run
echo "afterwards: exit $?"
sed -n 's/^trainyard: [0-9:]* //p' err | grep -v Running
trainyard run -f job.yaml --name other --detach 2>/dev/null
echo "another job: exit $?"
