import type { PagePorts } from '../ports.ts';

/** Whether users can ask for a link themselves: it is mailed, and is of use only where passwords are. */
export const canForget = ({
  isMailSetUp,
  passwordSignIn,
}: Pick<PagePorts, 'isMailSetUp' | 'passwordSignIn'>): boolean => isMailSetUp && passwordSignIn === 'on';
