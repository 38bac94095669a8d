"""Validates rendered objects strictly against the schemas of Kubernetes: python validate.py FILE

Objects of operators have no schema there: they are named, and their kinds must be those that the chart knows.
"""

import sys

import kubernetes_validate
import yaml

VERSION = "1.37"
OF_OPERATORS = {
    ("keda.sh/v1alpha1", "ScaledObject"), ("monitoring.coreos.com/v1", "ServiceMonitor"), ("ray.io/v1", "RayCluster"),
}  # fmt: skip

objects = [one for one in yaml.safe_load_all(open(sys.argv[1])) if one]
others = [one for one in objects if (one["apiVersion"], one["kind"]) in OF_OPERATORS]
for one in objects:
    if one not in others:
        kubernetes_validate.validate(one, VERSION, strict=True)
    if one["kind"] == "RayCluster":
        # Its pods have a schema.
        for group in [one["spec"]["headGroupSpec"], *one["spec"]["workerGroupSpecs"]]:
            pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "ray"}, **group["template"]}
            kubernetes_validate.validate(pod, VERSION, strict=True)
names = ", ".join(f"{one['kind']}" for one in others)
print(f"{sys.argv[1]}: {len(objects) - len(others)} objects valid" + (f"; without a schema: {names}" if names else ""))
