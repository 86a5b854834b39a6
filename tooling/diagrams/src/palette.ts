/** The kinds of boxes: each has a fill and a line. Titles name what a box is, so no reader depends on its colour. */
export const KINDS = ['plain', 'ours', 'store', 'warning'] as const;

export type Kind = (typeof KINDS)[number];

type Colour = `#${string}`;

interface Theme {
  readonly page: Colour;
  readonly ink: Colour;
  /** Text beside arrows, and the arrows. */
  readonly quiet: Colour;
  readonly fills: Readonly<Record<Kind, Colour>>;
  readonly lines: Readonly<Record<Kind, Colour>>;
}

/** The page is painted, because the theme of a reader's system need not be that of the site that shows the picture. */
export const THEMES: Readonly<Record<'light' | 'dark', Theme>> = {
  light: {
    page: '#ffffff',
    ink: '#0f172a',
    quiet: '#475569',
    fills: { plain: '#f1f5f9', ours: '#ccfbf1', store: '#dbeafe', warning: '#ffedd5' },
    lines: { plain: '#64748b', ours: '#0f766e', store: '#1d4ed8', warning: '#c2410c' },
  },
  dark: {
    page: '#0d1117',
    ink: '#f1f5f9',
    quiet: '#cbd5e1',
    fills: { plain: '#1e293b', ours: '#134e4a', store: '#1e3a8a', warning: '#7c2d12' },
    lines: { plain: '#94a3b8', ours: '#2dd4bf', store: '#60a5fa', warning: '#fb923c' },
  },
};

/** Returns the stylesheet of a picture. Each colour is a variable, which the dark theme replaces. */
export function stylesheet(): string {
  const { light, dark } = THEMES;
  return [
    `:root{${variables(light)}}`,
    `@media (prefers-color-scheme:dark){:root{${variables(dark)}}}`,
    '.page{fill:var(--page)}',
    'text{font:15px system-ui,sans-serif;fill:var(--ink)}',
    '.title{font-weight:700}',
    '.label{fill:var(--quiet)}',
    '.centre{text-anchor:middle}',
    '.arrow{stroke:var(--quiet);stroke-width:2;fill:none}',
    '.head{fill:var(--quiet)}',
    '.dashed{stroke-dasharray:6 4}',
    '.frame{fill:none;stroke-width:1.5;stroke:var(--line-plain);stroke-dasharray:2 4}',
    ...KINDS.map((kind) => `.${kind}{fill:var(--fill-${kind});stroke:var(--line-${kind});stroke-width:1.5}`),
  ].join('\n');
}

function variables({ page, ink, quiet, fills, lines }: Theme): string {
  const ofKinds = KINDS.map((kind) => `--fill-${kind}:${fills[kind]};--line-${kind}:${lines[kind]}`);
  return [`--page:${page};--ink:${ink};--quiet:${quiet}`, ...ofKinds].join(';');
}
