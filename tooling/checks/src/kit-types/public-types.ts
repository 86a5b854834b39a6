import {
  type Declaration,
  type DeclarationFile,
  fileOf,
  type Reference,
  readDeclarations,
} from './declaration-file.ts';

const INLINE = /import\("([^"]+)"\)\.(\w+)/g;

/** The in-memory adapters and fakes refer to every port of the domain, and the ports are no promise to extensions. */
const isForTests = ({ file }: Declaration) => file.startsWith('domain/testing/');

/** Finds declarations in a folder of emitted packages. */
export function publicTypes(folder: string) {
  const files = new Map<string, DeclarationFile>();

  function read(file: string): DeclarationFile {
    const known = files.get(file) ?? readDeclarations(folder, file);
    files.set(file, known);
    return known;
  }

  /** The declaration that a name leads to, through any number of files. */
  function find({ file, name }: Reference): Declaration | undefined {
    const { declarations, exported, passedOn, imported } = read(file);
    const declared = declarations.get(name);
    if (declared) return declared;
    const further = exported.get(name) ?? imported.get(name);
    const places = further ? [further] : passedOn.map((each) => ({ file: each, name }));
    return places.map(find).find((each) => each !== undefined);
  }

  function referredBy({ file, text }: Declaration): readonly (Declaration | undefined)[] {
    const { imported, declarations } = read(file);
    const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, '');
    const inline = Array.from(code.matchAll(INLINE), ([, specifier = '', name = '']) => {
      const from = fileOf(specifier, file);
      return from && find({ file: from, name });
    });
    const names = Array.from(code.replaceAll(INLINE, '').matchAll(/\b[A-Za-z_]\w*/g), ([name]) => {
      const reference = imported.get(name);
      return declarations.get(name) ?? (reference && find(reference));
    });
    return [...inline, ...names].map((each) => each || undefined);
  }

  /** Returns the exports of a file, in order: the declaration, or undefined if a library declares it. */
  function exportsOf(file: string): ReadonlyMap<string, Declaration | undefined> {
    const { exported, passedOn } = read(file);
    const own = Array.from(exported, ([name, reference]) => [name, reference && find(reference)] as const);
    return new Map([...own, ...passedOn.flatMap((each) => [...exportsOf(each)])]);
  }

  return {
    exportsOf,
    /**
     * Returns everything that these declarations refer to, directly or not, except for themselves and the domain's
     * fakes.
     */
    behind(roots: readonly Declaration[]): readonly Declaration[] {
      const found = new Set(roots);
      for (const each of found) {
        for (const referred of referredBy(each)) if (referred && !isForTests(referred)) found.add(referred);
      }
      return [...found].filter((each) => !roots.includes(each));
    },
  };
}
