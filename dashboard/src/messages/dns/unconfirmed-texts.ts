// Texts of changes that are undone automatically unless the owner keeps them.
export const unconfirmedTexts = {
  section: 'Changes that wait for your decision',
  title: (changed: string) => `Not confirmed yet: ${changed}`,
  records: (first: string, more: number) =>
    more > 0 ? `the records ${first} and ${more} more` : `the records ${first}`,
  nameservers: (after: string) => `the name servers ${after}`,
  by: (maker: string) => `Made by: ${maker}.`,
  until: (moment: string) => `It is undone automatically at ${moment} unless you keep it.`,
  left: (left: string) => `${left} left`,
  due: 'It is being undone now.',
  before: (before: string) => `The previous name servers: ${before}.`,
  kept: (reason: string) =>
    `It should have been undone but was not, because ${reason}. Please decide.`,
  reasons: {
    maker_right_ended: 'the key or app that made it may not change this any more',
    account_suspended: 'the account was suspended',
    domain_protected: 'you protected the domain',
    domain_locked: 'you locked the domain',
    new_password: 'the password was changed',
    changed_since: 'it was changed again',
    refused: 'the undo was refused',
  },
  keep: 'Keep',
  back: 'Undo now',
  done: {
    keep: 'The change is kept',
    back: 'The change is undone',
  },
} as const
