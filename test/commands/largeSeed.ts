/** An organization with 40 projects, 40 applications and 30 custom domains, with names that are hard to handle. */
import type { NewApplication, Seed } from "../../testing/emulator";
import { fingerprintOf } from "../support/values/resourceExamples";
import { seedOfTwo } from "./objects";

/** Names that break code which does not handle them correctly. */
export const HOSTILE_NAMES: readonly string[] = [
  ...["Shop", "shop", "SHOP!", "쇼핑몰", "🚀🚀", "İstanbul", "../../etc/passwd", "a::b::c", "-", "$${}"],
  ...["new", "class", "await", "default", "undefined", "Project", "project", "__proto__", "constructor"],
  ...["CON", "aux"],
  "쇼핑몰 ",
  "👩‍👩‍👧 family",
  "日本語 プロジェクト",
  "مشروع تجريبي",
  "Ünïcödé Straße",
  'quote " and \\ backslash \\',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is the point.
  "`${process.exit(1)}`",
  "*/ // <!-- comment",
  "line\nbreak\r\n\ttab",
  "null\u0000byte",
  "\u202egnp.exe",
  "zero\u200bwidth\ufeff",
  "paragraph\u2028separator\u2029",
  "1st place",
  "  ",
  "०१२ हिन्दी",
  "x".repeat(100),
  "한".repeat(100),
  "ⅷ ² ① ﬁ",
];

/** An application of the platform whose turn it is. */
function application(index: number): NewApplication {
  const info = { appName: HOSTILE_NAMES[index]?.slice(0, 40) || "App", appScheme: "shop" };
  const name = `example.shop.app${index}`;
  const sha256Fingerprints = [fingerprintOf("AB")];
  const appleInfo = { ...info, bundleId: name, appIdPrefix: "A1B2C3D4E5" };
  const platforms: NewApplication[] = [
    { appType: "IOS", appleInfo },
    { appType: "ANDROID", androidInfo: { ...info, appPackageName: name, sha256Fingerprints } },
    // With leftovers of another platform.
    { appType: "IOS", appleInfo, androidInfo: { appName: "Left over" } },
  ];
  return platforms[index % 4] ?? { appType: "WEB" };
}

export function largeSeed(): Seed {
  return seedOfTwo(
    HOSTILE_NAMES.map((name, index) => ({
      name,
      // Two projects at a time have the same age.
      createdAt: new Date(Date.UTC(2024, 0, 1 + (index >> 1))).toISOString(),
      defaultHookupMsg: index % 4 === 0 ? `Open ${name} "in" the app\n` : null,
      subDomain: index % 5 === 0 ? null : undefined,
      applications: [application(index)],
      customDomains:
        index < 30
          ? [{ hostname: index % 7 === 0 ? `쇼핑${index}.example` : `Links-${index}.Shop.example` }]
          : [],
    })),
  );
}
