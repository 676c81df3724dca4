/**
 * The Maven project of the Java SDK. The generator writes a Gradle project, which lacks the name and the developers that
 * Maven Central requires.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PackageSchema } from "../schema/packageSchema";

/** Adds the project to the directory of the SDK. */
export function writeMavenProject(sdk: string, schema: PackageSchema, publisher: string): void {
  const { basePackage } = schema.language.java;
  writeFileSync(join(sdk, "pom.xml"), pom(schema, basePackage, publisher));
  // Pulumi finds the plugin of a package only below `com`. Without the address, functions use a second provider.
  const resources = join(sdk, "src", "main", "resources", "com", ...basePackage.split("."), schema.name);
  mkdirSync(resources, { recursive: true });
  const { name, version, pluginDownloadURL: server } = schema;
  writeFileSync(join(resources, "plugin.json"), JSON.stringify({ resource: true, name, version, server }));
}

function pom(schema: PackageSchema, group: string, publisher: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>${group}</groupId>
  <artifactId>${schema.name}</artifactId>
  <version>${schema.version}</version>
  <name>${schema.displayName} for Pulumi</name>
  <description>${inXml(schema.description)}</description>
  <url>${inXml(schema.homepage)}</url>
  <licenses>
    <license>
      <name>${schema.license}</name>
      <url>https://spdx.org/licenses/${schema.license}.html</url>
    </license>
  </licenses>
  <developers>
    <developer>
      <name>${inXml(publisher)}</name>
    </developer>
  </developers>
  <scm>
    <connection>scm:git:${inXml(schema.homepage)}</connection>
    <url>${inXml(schema.homepage)}</url>
  </scm>

  <properties>
    <maven.compiler.source>11</maven.compiler.source>
    <maven.compiler.target>11</maven.compiler.target>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>

  <dependencies>
    <dependency>
      <groupId>com.pulumi</groupId>
      <artifactId>pulumi</artifactId>
      <version>1.36.1</version>
    </dependency>
    <!-- The annotations of the classes. -->
    <dependency>
      <groupId>com.google.code.findbugs</groupId>
      <artifactId>jsr305</artifactId>
      <version>3.0.2</version>
    </dependency>
  </dependencies>

  <!-- Maven Central requires the sources and the documentation. -->
  <build>
    <plugins>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-source-plugin</artifactId>
        <version>3.3.1</version>
        <executions>
          <execution><goals><goal>jar-no-fork</goal></goals></execution>
        </executions>
      </plugin>
      <plugin>
        <groupId>org.apache.maven.plugins</groupId>
        <artifactId>maven-javadoc-plugin</artifactId>
        <version>3.12.0</version>
        <configuration><doclint>none</doclint></configuration>
        <executions>
          <execution><goals><goal>jar</goal></goals></execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
`;
}

function inXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
