# A job whose log directory becomes full while it writes: $1 Node, $2 the launcher, $3 an empty directory.
node=$1 launcher=$2
cd "$3" || exit 9
export TRAINYARD_HOME="$3/home"
trainyard() { "$node" "$launcher" "$@"; }
mkdir -p home/volumes/default/runs
mount -t tmpfs -o size=64k none home/volumes/default/runs || exit 9
trap 'trainyard down --force >/dev/null 2>&1' EXIT
cat > job.yaml <<YAML
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: runs}
spec: {accessModes: [ReadWriteMany], resources: {requests: {storage: 1Gi}}}
---
apiVersion: batch.tensorstack.dev/v1beta1
kind: PyTorchTrainingJob
metadata: {name: full}
spec:
  tensorboardSpec: {trainingLogFilesets: [t9k://pvc/runs]}
  replicaSpecs:
    - type: master
      replicas: 1
      template:
        spec:
          containers:
            - {name: pytorch, image: i, command: [sh, -c, "head -c 200000 /dev/zero > /runs/events"], volumeMounts: [{name: runs, mountPath: /runs}]}
          volumes: [{name: runs, persistentVolumeClaim: {claimName: runs}}]
YAML
trainyard run -f job.yaml 2>&1
echo "run: exit $?"
trainyard get full -o json
