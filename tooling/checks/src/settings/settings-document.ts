import { readFile } from 'node:fs/promises';
import { masterKeySettings } from '@gatehouse/installation/master-key';
import { installationSettings, opsSettings, type Setting } from '@gatehouse/installation/settings';
import { serverSettings } from '@gatehouse/server/settings';
import { markdownTable } from '../markdown-table.ts';
import { type DocumentedSetting, MEANINGS, SUBJECTS } from './meanings.ts';
import { OTHER_VARIABLES, VARIABLES_OF_LIBRARIES } from './other-variables.ts';

export const SETTINGS_PAGE = 'docs/operate/settings.md';

const BEGIN = '<!-- The tables are generated from the shapes of the settings: run "npm run docs". -->';
const END = '<!-- End of the generated tables. -->';

/** The shapes that commands parse. A server parses these and its own. */
const OF_COMMANDS: object = { ...installationSettings, ...masterKeySettings, ...opsSettings };

/** Returns docs/operate/settings.md with its tables made anew. The text around them is written by hand. */
export async function settingsDocument(): Promise<string> {
  const page = await readFile(new URL(`../../../../${SETTINGS_PAGE}`, import.meta.url), 'utf8');
  return withTables(page, [...Object.entries(SUBJECTS).map(subject), others()].join('\n\n'));
}

/** Replaces the text between the two marks of a page. Throws if a mark is missing. */
export function withTables(page: string, tables: string): string {
  const [before, , missing] = page.split(BEGIN);
  const [, after] = page.split(END);
  if (before === undefined || after === undefined || missing !== undefined || !page.includes(BEGIN)) {
    throw new Error(`${SETTINGS_PAGE} needs the line ${BEGIN} once, and below it the line ${END}`);
  }
  return `${before}${BEGIN}\n\n${tables}\n\n${END}${after}`;
}

function subject([title, settings]: readonly [string, object]): string {
  const rows = (Object.keys(settings) as DocumentedSetting[]).map(settingRow);
  return `## ${title}\n\n${markdownTable(['setting', 'meaning', 'value', 'default', 'read by'], rows)}`;
}

/** Returns the row of a setting, all of it from its shape but the meaning, and the default of an optional setting. */
function settingRow(name: DocumentedSetting): readonly string[] {
  const shape: Setting<unknown> = serverSettings[name];
  const written = MEANINGS[name];
  const meaning = typeof written === 'string' ? written : written.meaning;
  const file = `${name}_FILE`;
  return [
    file in serverSettings ? `\`${name}\`, \`${file}\`` : `\`${name}\``,
    meaning,
    formText(shape),
    typeof written === 'string' ? defaultText(shape) : written.unset,
    name in OF_COMMANDS ? 'both' : 'server',
  ];
}

/** Returns the form of the values for a cell of a table. Angle brackets would be read as HTML. */
function formText({ form }: Setting<unknown>): string {
  return form.replace(/^(?:an?|the) /, '').replaceAll('<', '\\<');
}

/** Returns the default as a variable would have it. A default that is an empty list is printed as an empty text. */
export function defaultText({ print, unset }: Setting<unknown>): string {
  const printed = print(unset);
  return printed === '' ? 'none' : `\`${printed}\``;
}

function others(): string {
  const own = Object.entries(OTHER_VARIABLES).map(([name, cells]) => [`\`${name}\``, ...cells]);
  const rows = [...own, ...VARIABLES_OF_LIBRARIES];
  return `## Other variables\n\n${markdownTable(['variable', 'read by', 'meaning'], rows)}`;
}
