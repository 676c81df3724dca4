/** Declares as many resources as the other programs, without a provider, to measure the engine itself. */
import * as pulumi from "@pulumi/pulumi";

const resources = Number(process.env.BENCH_RESOURCES ?? 1);

for (let count = 0; count < resources; count++) {
  new pulumi.ComponentResource("bench:index:Component", `component-${count}`, {
    name: `Component ${count}`,
  });
}
