import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SiteConfig } from 'vitepress';

/**
 * The content security policy that the site works under. Code has colours by attributes of its style, and icons are
 * `data:` addresses in a style sheet; everything else is a file of the site.
 */
export const SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/**
 * Returns a function that moves the scripts of a page into files, and writes the policy into the page.
 * @param base the path of the site on its host
 */
export function withoutInlineScripts(base: string) {
  return (html: string, _page: string, { siteConfig }: { readonly siteConfig: SiteConfig }): string =>
    html
      .replaceAll(/<script id="[^"]*">([^<]+)<\/script>/g, (_whole, script: string) => {
        const hash = createHash('sha256').update(script).digest('hex').slice(0, 8);
        const path = `${siteConfig.assetsDir}/${hash}.js`;
        mkdirSync(join(siteConfig.outDir, siteConfig.assetsDir), { recursive: true });
        writeFileSync(join(siteConfig.outDir, path), script);
        return `<script src="${base}${path}"></script>`;
      })
      .replace(
        '<meta charset="utf-8">',
        `$&\n    <meta http-equiv="Content-Security-Policy" content="${SECURITY_POLICY}">`,
      );
}
