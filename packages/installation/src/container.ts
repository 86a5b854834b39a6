import 'reflect-metadata';
import { instanceCachingFactory, container as tsyringe } from 'tsyringe';

/**
 * Functions that create services, by the names of the services. If a function reads another service, that service is
 * created before it.
 */
type Makers<Services> = Readonly<Record<string, (services: Services) => unknown>>;

/**
 * A container of services by name. Each call of `provide` adds to the type `Services`, so the use of a service that was
 * not provided does not compile.
 */
interface Container<Services extends object> {
  /**
   * Defines services. Each service is created once, when it is used for the first time. It may use services that an
   * earlier call of `provide` defined.
   */
  provide<Made extends Makers<Services>>(
    makers: Made & { readonly [Name in keyof Services]?: never },
  ): Container<Services & { readonly [Name in keyof Made]: ReturnType<Made[Name]> }>;
  /**
   * Replaces the function that creates a service, for a test or a worker. `original` calls the replaced function, which
   * may be an earlier override.
   *
   * @throws {Error} if the service was already created, because other services may already use it
   */
  override<Name extends keyof Services & string>(
    name: Name,
    make: (services: Services, original: () => Services[Name]) => Services[Name],
  ): Container<Services>;
  /**
   * The services. Reading a property creates that service and the services that it uses. The container closes no
   * services: the caller must do this.
   */
  readonly services: Services;
}

/** Creates an empty container, which shares no services with other containers. */
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
  // The cast is needed because the type `Container` tracks which services exist, and this object does not.
  return self as unknown as Container<object>;
}
