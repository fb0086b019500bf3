// Texts about an account without a default registrant.
export const registrantTexts = {
  title: 'No default registrant',
  none:
    'Every domain is held by a person or an organization. Add a contact first: without one, a ' +
    'purchase by an agent is refused.',
  notDefault:
    'No contact is the default registrant. A purchase by an agent that names no contact is ' +
    'refused: edit a contact, and choose it as registrant of new domains.',
  contacts: 'Go to contacts',
} as const
