import type { Plugin } from 'rolldown';

/**
 * Escapes the characters that `charset: 'ascii'` leaves: those in tagged templates. A tag such as `String.raw` would see the
 * difference, but no tag of our programs reads the raw text. V8 stores a source in twice the memory because of a single such
 * character.
 */
export const asciiTemplates: Plugin = {
  name: 'ascii-templates',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = toAscii(file.code);
  },
};

/** Replaces each UTF-16 unit that is not ASCII by its escape. */
export function toAscii(code: string): string {
  return code.replaceAll(/[\u0080-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
