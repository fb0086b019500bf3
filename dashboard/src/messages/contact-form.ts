// Texts of the form of a contact.
export const contactFormTexts = {
  country: 'Country',
  chooseCountry: 'Choose a country',
  name: 'Name',
  nameHint: 'A person, or a role at an organisation',
  email: 'Email address',
  company: 'Organisation (optional)',
  address: 'Street and number',
  address2: 'Address, second line (optional)',
  zip: 'Postal code',
  city: 'City',
  state: 'State or province',
  chooseState: 'Choose a state or province',
  phoneCode: 'Country code',
  phone: 'Telephone number',
  submitting: 'Saving',
} as const
