/** Use cases by name, each a function of its ports. */
export type UseCaseSet = Readonly<Record<string, (ports: never) => unknown>>;

/** The use cases of a set, on their ports. */
export type Made<Set extends UseCaseSet> = { readonly [Name in keyof Set]: ReturnType<Set[Name]> };

/** The ports of all use cases of a set: what each takes, together. */
export type PortsOf<Set> = {
  [Name in keyof Set]: Set[Name] extends (ports: infer Ports) => unknown ? (ports: Ports) => void : never;
}[keyof Set] extends (ports: infer Ports) => void
  ? Ports
  : never;

/** Creates the use cases of a set. */
export function make<Set extends UseCaseSet>(set: Set, ports: PortsOf<Set>): Made<Set> {
  const made = Object.entries(set).map(([name, useCase]) => [name, useCase(ports as never)]);
  return Object.fromEntries(made);
}

type MadeLazy<Set extends UseCaseSet> = {
  readonly [Name in keyof Set]: ReturnType<Set[Name]> extends (...input: infer Input) => infer Output
    ? (...input: Input) => Promise<Awaited<Output>>
    : never;
};

/** Creates the use cases of a set; each call creates their ports, so slow modules are loaded only then. */
export function makeLazy<Set extends UseCaseSet>(
  set: Set,
  ports: () => Promise<PortsOf<Set>>,
): MadeLazy<Set> {
  const made = Object.entries(set).map(([name, useCase]) => [
    name,
    async (...input: readonly unknown[]) => {
      const run = useCase((await ports()) as never) as (...input: readonly unknown[]) => unknown;
      return run(...input);
    },
  ]);
  return Object.fromEntries(made);
}

type UseCasesIn<Folder> = {
  [Name in keyof Folder as Folder[Name] extends { readonly rule: unknown } ? Name : never]: Folder[Name];
};

/** Returns the use cases among the exports of a folder: the functions that `authorized` made. */
export function useCasesIn<Folder extends object>(folder: Folder): UseCasesIn<Folder> {
  const found = Object.entries(folder).filter(([, made]) => typeof made === 'function' && 'rule' in made);
  return Object.fromEntries(found) as UseCasesIn<Folder>;
}

/** Returns the set without the use cases of another one. */
export function without<Set extends object, Other extends object>(
  set: Set,
  other: Other,
): Omit<Set, keyof Other> {
  const rest = Object.entries(set).filter(([name]) => !Object.hasOwn(other, name));
  return Object.fromEntries(rest) as Omit<Set, keyof Other>;
}
