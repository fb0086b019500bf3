// Texts of the field of a mailed code, and of requesting another.
export const codeTexts = {
  label: (length: number) => `${length}-digit code`,
  digit: (at: number, length: number) => `Digit ${at} of ${length}`,
  resend: 'Send another code',
  resendIn: (left_s: number) => `Send another code in ${left_s} s`,
  resent:
    'Another code is on its way, and replaces the previous one. An address gets a few mails an ' +
    'hour: if none comes, the code of the latest mail stays valid.',
} as const
