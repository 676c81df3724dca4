import pulumi
import pulumi_dynamiclink as dynamiclink

found = dynamiclink.get_custom_domain_output(id="5f0c9d3e-7a41-4b58-9c0e-3d2a1b4c5d6e")
pulumi.export("lifecycleStatus", found.lifecycle_status)
