import { PASSWORD } from '@gatehouse/domain/testing';
import type { PageScene } from './serve-pages.ts';

/** Makes a visitor who has signed in as the member of the scene. */
export const asMember = ({ people, signedIn }: Pick<PageScene, 'people' | 'signedIn'>) =>
  signedIn({ email: people.member.email, password: PASSWORD });
