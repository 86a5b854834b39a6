import 'reflect-metadata';
import { type DependencyContainer, instanceCachingFactory, container as tsyringe } from 'tsyringe';

/** Makes a service out of others, which are made when it reads them. */
type Make<Services, T> = (services: Services) => T;

/** Services by name, and how each is made. `Services` grows with every `provide`, so that a missing one does not compile. */
interface Container<Services extends object> {
  /** Says how a service is made: once, when it is first read, out of services that were provided before it. */
  provide<const Name extends string, T>(
    name: Name extends keyof Services ? never : Name,
    make: Make<Services, T>,
  ): Container<Services & { readonly [N in Name]: T }>;
  /**
   * Makes a service in another way, for a test. `original` makes the one that is replaced, which may have been
   * overridden before.
   *
   * @throws {Error} where the service was already made: others may hold it
   */
  override<Name extends keyof Services & string>(
    name: Name,
    make: (services: Services, original: () => Services[Name]) => Services[Name],
  ): Container<Services>;
  /** Reading a property makes that service and what it depends on. The maker of a closable service closes it. */
  readonly services: Services;
}

/** A container without services. It shares nothing with any other. */
export function createContainer(): Container<object> {
  const container: DependencyContainer = tsyringe.createChildContainer();
  const services: Record<string, unknown> = {};
  const makers = new Map<string, () => unknown>();
  const made = new Set<string>();

  function register(name: string, make: () => unknown): void {
    makers.set(name, make);
    const makeOnce = instanceCachingFactory(() => {
      made.add(name);
      return make();
    });
    container.register(name, { useFactory: makeOnce });
  }

  // What it holds by now is known to the types of `Container` alone.
  const self = {
    services,
    provide(name: string, make: Make<object, unknown>) {
      if (makers.has(name)) throw new Error(`${name} is already provided: override it`);
      register(name, () => make(services));
      Object.defineProperty(services, name, { enumerable: true, get: () => container.resolve(name) });
      return self;
    },
    override(name: string, make: (services: object, original: () => unknown) => unknown) {
      const original = makers.get(name);
      if (!original) throw new Error(`${name} cannot be overridden: nothing provides it`);
      if (made.has(name)) throw new Error(`${name} cannot be overridden: it was already made`);
      register(name, () => make(services, original));
      return self;
    },
  };
  return self as unknown as Container<object>;
}
