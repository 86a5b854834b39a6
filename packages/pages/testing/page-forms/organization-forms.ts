import type { PageScene as Scene } from '../serve-pages.ts';
import type { Typed } from '../visitor.ts';
import { type Fill, type FormsOfPages, headersOf } from './sent-form.ts';

/** A form about the organization that the member of the scene belongs to. */
function organizationForm(
  pathIn: (scene: Scene) => string,
  button: string,
  typed: (scene: Scene) => Typed = () => ({}),
): Fill {
  return async (scene) => {
    const path = pathIn(scene);
    const visitor = await scene.signedIn();
    const values = (await visitor.get(path)).fill(button, typed(scene));
    return { visitor, path, values, headers: headersOf(scene), done: 303 };
  };
}

const shared = ({ people }: Scene) => `/settings/organizations/${people.shared.id}`;

/** The forms that create, change and delete an organization, and that change its members. */
export const ORGANIZATION_FORMS: FormsOfPages = {
  'creating an organization': organizationForm(
    () => '/settings/organizations/new',
    'Create organization',
    () => ({
      Name: 'Foundry',
    }),
  ),
  'changing an organization': organizationForm(shared, 'Save', () => ({ Name: 'Foundry' })),
  'adding a member': organizationForm(shared, 'Add member', ({ people }) => ({ Email: people.admin.email })),
  'removing a member': organizationForm(shared, 'Remove Ada'),
  'deleting an organization': organizationForm(
    (scene) => `${shared(scene)}/delete`,
    'Delete organization',
    (scene) => ({
      'Name of the organization': scene.people.shared.name,
    }),
  ),
};
