import pulumi
import pulumi_dynamiclink as dynamiclink

found = dynamiclink.get_projects_output()
pulumi.export("projects", found.projects)
