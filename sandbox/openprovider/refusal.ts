// A refusal by one of Openprovider's codes.

/** The codes that the simulation uses, with Openprovider's sentences. */
const SENTENCES = {
  102: 'Empty first name!',
  105: 'Empty last name field!',
  110: 'Empty street name field!',
  117: 'Empty city field!',
  121: 'Invalid country code!',
  130: 'Empty telephone country code field!',
  132: 'Empty telephone region code field!',
  134: 'Empty telephone subscriber number!',
  146: 'Invalid e-mail!',
  176: 'Customer handle not found',
  196: 'Authentication/Authorization Failed',
  221: 'At least 2 name servers or a name server group are required',
  222: 'Invalid or double name server',
  227: 'Invalid nameserver IPv4 address',
  228: 'Invalid nameserver IPv6 address',
  303: 'Your domain request contains invalid characters!',
  307: 'Your domain request contains an invalid extension!',
  310: 'Credit is not enough!',
  311: 'The domain you want to register is not free!',
  313: 'The domain you want to transfer is free!',
  316: 'Invalid period!',
  318: 'Authorization code is incorrect or missing.',
  320: 'The domain is not in your account; please transfer it to your account first.',
  326: 'This domain is already in your account!',
  331: 'Invalid owner handle!',
  333: 'Invalid admin handle!',
  335: 'Invalid tech handle!',
  354: 'There is no transfer to approve or you are not permitted to.',
  366: 'This action is prohibited for current domain status.',
  369: 'Transfer is prohibited by the current domain owner.',
  373: 'Invalid billing handle!',
  376: 'Restore operation is not allowed for this domain',
  379: 'You are about to order a premium domain: accept its fee.',
  513: 'Domain is reserved',
  514: 'The domain is already being transferred',
  4001: 'Wrong command name.',
  4005: 'Disabled for maintenance',
  4006: 'Wrong message format',
} as const

export type Code = keyof typeof SENTENCES

export class Refused extends Error {
  readonly code: Code

  constructor(code: Code) {
    super(SENTENCES[code])
    this.code = code
  }
}
