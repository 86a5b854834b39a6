import 'reflect-metadata';
import { container, type DependencyContainer, type InjectionToken, instanceCachingFactory } from 'tsyringe';

/** Names one thing that can be resolved, and its type. */
export type ServiceToken<T> = InjectionToken<T>;

/** Makes a token; two of the same name are different tokens. */
export function token<T>(name: string): ServiceToken<T> {
  return Symbol(name) as InjectionToken<T>;
}

export type Resolve = <T>(token: ServiceToken<T>) => T;

export interface Container {
  /** Says how a thing is made, once, when it is first resolved. */
  provide<T>(token: ServiceToken<T>, factory: (resolve: Resolve) => T): Container;
  resolve: Resolve;
}

/** A container that shares nothing with any other. Who makes a closable thing closes it: the container does not. */
export function createContainer(): Container {
  const services: DependencyContainer = container.createChildContainer();
  const resolve: Resolve = (token) => services.resolve(token);
  const wrapper: Container = {
    provide(token, factory) {
      services.register(token, { useFactory: instanceCachingFactory(() => factory(resolve)) });
      return wrapper;
    },
    resolve,
  };
  return wrapper;
}
