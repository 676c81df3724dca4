import * as pulumi from "@pulumi/pulumi";
import * as dynamiclink from "pulumi-dynamiclink/native";

const found = dynamiclink.getProjectsOutput();
export const projects = found.apply(found => found.projects);
