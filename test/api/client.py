"""What a user of the official Python client does; each line of output is one thing seen."""
import json
import sys

import yaml
from kubernetes import client, config, dynamic, utils, watch

config.load_kube_config(sys.argv[1])
api = client.ApiClient()
core = client.CoreV1Api()
custom = client.CustomObjectsApi()
GROUP = "batch.tensorstack.dev"


def say(*words):
    print(json.dumps(words), flush=True)


def refused(call, *args, **options):
    try:
        call(*args, **options)
        say("not refused")
    except client.ApiException as error:
        say("error", error.status, json.loads(error.body)["reason"])


def named(name, **more):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name, labels={"set": "one"}), **more)


say("version", client.VersionApi().get_code().major)

# Typed objects.
core.create_namespaced_config_map("default", named("m", data={"a": "1"}))
container = client.V1Container(name="c", image="x", resources=client.V1ResourceRequirements(limits={"cpu": "500m"}))
pod = client.V1Pod(metadata=client.V1ObjectMeta(name="p"), spec=client.V1PodSpec(containers=[container]))
made = core.create_namespaced_pod("default", pod)
say("pod", made.status.phase, made.spec.dns_policy, made.spec.containers[0].resources.requests)
refused(core.create_namespaced_pod, "default", pod)
refused(core.read_namespaced_pod, "none", "default")
refused(core.list_namespaced_pod, "default", label_selector="a b")

# Lists: selectors, pages.
for i in range(5):
    core.create_namespaced_config_map("default", named(f"page-{i}"))
names, token = [], None
while token != "":
    page = core.list_namespaced_config_map("default", limit=2, _continue=token, label_selector="set=one")
    names.append([item.metadata.name for item in page.items])
    token = page.metadata._continue or ""
say("pages", names)
say("field", [i.metadata.name for i in core.list_config_map_for_all_namespaces(field_selector="metadata.name=m").items])

# Every kind of patch.
strategic = [{"name": "c", "image": "y"}]
say("strategic", core.patch_namespaced_pod("p", "default", {"spec": {"containers": strategic}}).spec.containers[0].image)
steps = [{"op": "replace", "path": "/data/a", "value": "2"}]
say("json", core.patch_namespaced_config_map("m", "default", steps).data)
merge = {"data": {"a": None, "b": "3"}}
say("merge", core.patch_namespaced_config_map("m", "default", merge, _content_type="application/merge-patch+json").data)
made = core.read_namespaced_config_map("m", "default")
made.data = {"b": "4"}
say("replace", core.replace_namespaced_config_map("m", "default", made).data)
# It was read before the last write, so it is too old for another.
refused(core.replace_namespaced_config_map, "m", "default", made)

# Watching from a known state: what happened since is told, in order.
since = core.list_namespaced_config_map("default").metadata.resource_version
core.patch_namespaced_config_map("m", "default", {"data": {"c": "5"}})
core.create_namespaced_config_map("default", named("late"))
core.delete_namespaced_config_map("late", "default")
stream = watch.Watch()
seen = []
for event in stream.stream(core.list_namespaced_config_map, "default", resource_version=since, timeout_seconds=120):
    seen.append([event["type"], event["object"].metadata.name])
    if event["type"] == "DELETED":
        stream.stop()
say("watch", seen)

# Events, as controllers write them.
involved = client.V1ObjectReference(api_version="v1", kind="Pod", name="p", namespace="default", uid="x")
core.create_namespaced_event("default", client.CoreV1Event(
    metadata=client.V1ObjectMeta(name="e"), involved_object=involved, reason="Tested", message="a test", type="Normal"))
say("events", [e.reason for e in core.list_namespaced_event("default", field_selector="involvedObject.name=p").items])

# Kinds of our own: defined, then used as plain dictionaries.
extensions = client.ApiextensionsV1Api()
with open(sys.argv[2]) as file:
    defined = extensions.create_custom_resource_definition(yaml.safe_load(file)).metadata.name
stream = watch.Watch()
for event in stream.stream(
    extensions.list_custom_resource_definition, field_selector=f"metadata.name={defined}", timeout_seconds=120
):
    states = {c.type: c.status for c in event["object"].status.conditions or []}
    if states.get("Established") == "True":
        say("established", sorted(states))
        stream.stop()
job = {
    "apiVersion": f"{GROUP}/v1beta1", "kind": "GenericJob", "metadata": {"name": "job"},
    "spec": {"successRules": [{"worker": [0]}], "failureRules": [], "replicaSpecs": [{
        "type": "worker", "replicas": 1,
        "template": {"spec": {"containers": [{"name": "main", "image": "none", "command": ["true"]}]}}}]},
}
jobs = (GROUP, "v1beta1", "default", "genericjobs")
say("custom", custom.create_namespaced_custom_object(*jobs, job)["metadata"]["generation"])
say("custom list", [i["metadata"]["name"] for i in custom.list_namespaced_custom_object(*jobs)["items"]])
status = {"status": {"phase": "Running"}}
say("custom status", custom.patch_namespaced_custom_object_status(*jobs, "job", status)["status"]["phase"])
refused(custom.patch_namespaced_custom_object, *jobs, "job", {"spec": {"replicaSpecs": "none"}})

# The dynamic client reads discovery, and applies on the server's side.
both = dynamic.DynamicClient(api)
maps = both.resources.get(api_version="v1", kind="ConfigMap")
wanted = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"k": "1"}}
maps.server_side_apply(body=wanted, namespace="default", field_manager="one")
try:
    maps.server_side_apply(body=wanted | {"data": {"k": "2"}}, namespace="default", field_manager="two")
except dynamic.exceptions.ConflictError as error:
    say("conflict", json.loads(error.body)["details"]["causes"][0]["field"])
forced = maps.server_side_apply(
    body=wanted | {"data": {"k": "2"}}, namespace="default", field_manager="two", force_conflicts=True)
say("forced", forced.data.k, sorted({entry.manager for entry in forced.metadata.managedFields}))
jobs = both.resources.get(api_version=f"{GROUP}/v1beta1", kind="GenericJob")
say("dynamic", [item.metadata.name for item in jobs.get(namespace="default").items])
seen = []
for event in jobs.watch(namespace="default", timeout=120):
    seen.append([event["type"], event["object"].metadata.name])
    if event["type"] == "DELETED":
        break
    jobs.delete(name="job", namespace="default")
say("dynamic watch", seen)

# From a file, as kubectl create does.
utils.create_from_dict(api, {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "team"}})
say("namespace", core.read_namespace("team").status.phase)
say("deleted", core.delete_namespaced_pod("p", "default").metadata.name)
say("collection", core.delete_collection_namespaced_config_map("default", label_selector="set=one").kind,
    [item.metadata.name for item in core.list_namespaced_config_map("default").items])
