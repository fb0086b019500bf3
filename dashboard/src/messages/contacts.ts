// Texts of the contacts.
export const contactTexts = {
  title: 'Contacts',
  subtitle: 'People and roles that stand behind your domains, as registrant or contact.',
  add: 'Add contact',
  addTitle: 'Add a contact',
  editTitle: (name: string) => `Edit ${name}`,
  editText: 'A change is sent to the registries of all domains that use it.',
  save: 'Save contact',
  saved: (name: string) => `${name} is saved`,
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  remove: 'Delete',
  removeOf: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText:
    'This cannot be undone. A contact that a domain or an open order uses cannot be deleted: ' +
    'change it instead.',
  removed: (name: string) => `${name} is deleted`,
  defaults: 'Use for new domains as',
  roles: {
    default_registrant: 'Registrant',
    default_admin: 'Admin',
    default_technical: 'Technical',
    default_billing: 'Billing',
  },
  default: (role: string) => `Default ${role.toLowerCase()}`,
  empty: {
    title: 'No contacts yet',
    text: 'A domain needs a registrant. Add one, and it is used for every new domain.',
  },
} as const
