// Texts of the field of a new password.
export const passwordTexts = {
  label: 'Password',
  rules: (min: number, better: number) =>
    `At least ${min} characters. ${better} or more are much safer: use a few words.`,
  longer: (better: number) =>
    `Accepted unless it is commonly used. ${better} or more characters are much safer.`,
  long: 'A good length. Commonly used passwords are refused.',
  show: 'Show password',
  reveal: 'Show',
  hide: 'Hide',
} as const
