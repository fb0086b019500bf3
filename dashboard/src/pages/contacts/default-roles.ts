// Roles in which a contact may be the default of new domains.
export const defaultRoles = [
  'default_registrant',
  'default_admin',
  'default_technical',
  'default_billing',
] as const
export type DefaultRole = (typeof defaultRoles)[number]
