import 'reflect-metadata';
import { instanceCachingFactory, container as tsyringe } from 'tsyringe';

/** Functions by the names of the services that they create. They read other services, which are created then. */
type Makers<Services> = Readonly<Record<string, (services: Services) => unknown>>;

/** Services by name. `Services` grows with every `provide`, so that using a missing one does not compile. */
interface Container<Services extends object> {
  /** Defines services. Each is created once, on first use, from services that an earlier call provided. */
  provide<Made extends Makers<Services>>(
    makers: Made & { readonly [Name in keyof Services]?: never },
  ): Container<Services & { readonly [Name in keyof Made]: ReturnType<Made[Name]> }>;
  /**
   * Replaces a service, for a test or a worker. `original` creates the replaced one, which may be an override itself.
   *
   * @throws {Error} if the service was already created, because others may hold it
   */
  override<Name extends keyof Services & string>(
    name: Name,
    make: (services: Services, original: () => Services[Name]) => Services[Name],
  ): Container<Services>;
  /** Reading a property creates that service and its dependencies. The caller closes services that need it. */
  readonly services: Services;
}

/** Creates an empty container. It shares nothing with others. */
export function createContainer(): Container<object> {
  const container = tsyringe.createChildContainer();
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

  const self = {
    services,
    provide(provided: Makers<object>) {
      for (const [name, make] of Object.entries(provided)) {
        if (makers.has(name)) throw new Error(`${name} is already provided: override it`);
        register(name, () => make(services));
        Object.defineProperty(services, name, { enumerable: true, get: () => container.resolve(name) });
      }
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
  // The type is changed here because only the types of `Container` know which services were registered.
  return self as unknown as Container<object>;
}
