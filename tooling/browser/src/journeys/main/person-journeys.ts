import { expect } from 'vitest';
import { newPage, type Person } from '../../index.ts';
import { enter } from '../form-requests.ts';
import { focusOf, open, pathOf } from '../world-of-tests.ts';
import type { Journeys } from './scene.ts';

/** The passwords of persons who changed theirs. */
const changed = new Map<string, string>();

const NEXT = ['another phrase by hand', 'the phrase after that'] as const;

/** Journeys about a person's own sessions and password. Each uses another person, because they end sessions. */
export const PERSON_JOURNEYS: Journeys = {
  async 'one signs in, comes to the page that was asked for, and signs out'({ page, hand, world }) {
    const { email, password } = world.globex.admin;
    const signIn = async (typed: string) => {
      await hand.type(page.getByLabel('Password'), typed);
      await hand.press(page.getByRole('button', { name: 'Sign in' }));
    };
    await open(page, world, '/settings/password?from=here');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
    await hand.type(page.getByLabel('Email'), email);
    await signIn('not the password of Gil');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toMatch(/wrong/);
    expect(await page.getByLabel('Email').inputValue()).toBe(email);
    await signIn(password);
    await page.getByRole('heading', { level: 1, name: 'Password' }).waitFor();
    expect(pathOf(page)).toBe('/settings/password?from=here');

    await hand.press(page.getByRole('button', { name: 'Sign out' }));
    await page.getByText('You are signed out.').waitFor();
    await open(page, world, '/settings/password');
    expect(new URL(page.url()).pathname).toBe('/sign-in');
  },

  async 'one sees where one is signed in, and ends one session and all others'({ page, hand, world }) {
    await using elsewhere = await newPage();
    await using third = await newPage();
    for (const each of [page, third, elsewhere]) await enter(each, world, world.acme.member);
    await open(page, world, '/settings/api');
    await hand.press(page.getByRole('link', { name: 'Profile' }));
    await hand.press(page.getByRole('link', { name: 'Sessions' }));
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor();
    const buttons = page.getByRole('button', { name: 'End session' });
    // There are more if the journey was made before.
    const others = await buttons.count();
    expect(others).toBeGreaterThanOrEqual(2);
    await hand.press(buttons.first());
    await page.getByText('The session was ended.').waitFor();
    expect(await buttons.count()).toBe(others - 1);
    await hand.press(page.getByRole('button', { name: 'End all other sessions' }));
    await page.getByText('All your other sessions were ended.').waitFor();
    expect(await buttons.count()).toBe(0);
    for (const each of [elsewhere, third]) {
      await open(each, world, '/settings/sessions');
      expect(new URL(each.url()).pathname).toBe('/sign-in');
    }
  },

  async 'one changes the password, which signs out another browser'({ page, hand, world }) {
    const { email, password: first } = world.globex.member;
    const password = changed.get(email) ?? first;
    const next = password === NEXT[0] ? NEXT[1] : NEXT[0];
    const person: Person = { email, password };
    await using elsewhere = await newPage();
    for (const each of [page, elsewhere]) await enter(each, world, person);
    await open(page, world, '/settings/api');
    await hand.press(page.getByRole('link', { name: 'Profile' }));
    await hand.press(page.getByRole('link', { name: 'Password' }));
    await page.getByRole('heading', { level: 1, name: 'Password' }).waitFor();
    const change = async (current: string, again: string) => {
      await hand.type(page.getByLabel('Current password'), current);
      await hand.type(page.getByLabel('New password', { exact: true }), next);
      await hand.type(page.getByLabel('Confirm new password'), again);
      await hand.press(page.getByRole('button', { name: 'Change password' }));
    };
    await change(password, `${next}, mistaken`);
    await page.getByRole('alert').waitFor();
    expect(await focusOf(page)).toBe('again');
    await change('not the password of Hal', next);
    await page.getByRole('alert').getByText('password is wrong.').waitFor();
    expect(await focusOf(page)).toBe('current');
    await change(password, next);
    await page.getByText('Your password was changed').waitFor();
    changed.set(email, next);
    await open(elsewhere, world, '/settings/password');
    expect(new URL(elsewhere.url()).pathname).toBe('/sign-in');
    await enter(elsewhere, world, { email, password: next });
  },
};
