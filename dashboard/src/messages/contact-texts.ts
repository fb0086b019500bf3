// Texts of the contacts.
export const contactTexts = {
  title: 'Contacts',
  search: 'Search by name, handle or email',
  subtitle: 'People and roles responsible for your domains, as registrant or contact.',
  add: 'Add contact',
  addTitle: 'Add a contact',
  addText: 'It is used for new domains in the roles that you choose here.',
  editTitle: (name: string) => `Edit ${name}`,
  editText: 'A change is sent to the registries of all domains that use it.',
  save: 'Save contact',
  saved: (name: string) => `${name} is saved`,
  edit: 'Edit',
  editOf: (name: string) => `Edit ${name}`,
  remove: 'Delete',
  removeOf: (name: string) => `Delete ${name}`,
  removeTitle: (name: string) => `Delete ${name}?`,
  removeText: 'This cannot be undone. A contact that an open order uses cannot be deleted.',
  usedBy: (domains: readonly string[]) => {
    const [first, ...others] = domains
    if (first === undefined) return 'Not used by any domain'
    const more = others.length === 1 ? '1 other domain' : `${others.length} other domains`
    return others.length === 0 ? `Used by ${first}` : `Used by ${first} and ${more}`
  },
  inUse: (name: string) => `${name} is in use`,
  inUseText: 'A contact of a domain cannot be deleted. Change its details instead.',
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
    text: 'A domain needs a registrant: a person or an organization that holds it.',
  },
} as const
