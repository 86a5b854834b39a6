import { defineRule } from '@gatehouse/extension-kit/domain';

export const READ_SHIFT_NOTES = defineRule('shift-notes:read', {
  scope: 'shift-notes:read',
  users: 'members',
  operator: true,
});

/** No token manages shift notes: there is no scope for it. */
export const MANAGE_SHIFT_NOTES = defineRule('shift-notes:manage', { users: 'admins', operator: true });
