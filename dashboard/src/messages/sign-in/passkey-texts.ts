// Texts of passkeys.
export const passkeyTexts = {
  logIn: 'Continue with a passkey',
  needsDomain: 'Passkeys need a domain name, and this service is at an IP address.',
  otherHost: (host: string) => `Passkeys of this service work at ${host} only. Open it there.`,
  unsupported: 'This browser offers no passkeys here. They need HTTPS, or localhost.',
  unusable: 'This passkey cannot be used here.',
  unusableHint: 'Use another one, or your password.',
  cancelled: 'No passkey was used.',
  cancelledHint: 'Try again when you are ready. Your browser may have waited too long.',
  exists: 'This device already has a passkey for your account.',
  existsHint: 'Check your list of passkeys.',
} as const
