"""What a user of the official Python client does; each line of output is one thing seen."""
import json
import sys
import threading

from kubernetes import client, config, watch

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()


def say(*words):
    print(json.dumps(words), flush=True)


core.create_namespaced_config_map("default", client.V1ConfigMap(metadata=client.V1ObjectMeta(name="m"), data={"a": "1"}))
container = client.V1Container(name="c", image="x", resources=client.V1ResourceRequirements(limits={"cpu": "500m"}))
pod = client.V1Pod(metadata=client.V1ObjectMeta(name="p"), spec=client.V1PodSpec(containers=[container]))
made = core.create_namespaced_pod("default", pod)
say("pod", made.status.phase, made.spec.dns_policy, made.spec.containers[0].resources.requests)
listed = core.list_namespaced_config_map("default", label_selector="!none")
say("maps", [item.metadata.name for item in listed.items])
threading.Timer(0.2, lambda: core.patch_namespaced_config_map("m", "default", {"data": {"b": "2"}})).start()
stream = watch.Watch()
for event in stream.stream(
    core.list_namespaced_config_map, "default", resource_version=listed.metadata.resource_version, timeout_seconds=20
):
    say(event["type"], event["object"].data)
    stream.stop()
try:
    core.read_namespaced_pod("none", "default")
except client.ApiException as error:
    say("error", error.status, json.loads(error.body)["reason"])
try:
    core.create_namespaced_pod("default", pod)
except client.ApiException as error:
    say("error", error.status, json.loads(error.body)["reason"])
say("deleted", core.delete_namespaced_pod("p", "default").metadata.name)
say("version", client.VersionApi().get_code().major)
