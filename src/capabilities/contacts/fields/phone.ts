// Telephone numbers: a country code and a number, valid only together.
import {
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/max'

type Phone = { phone_country_code: string; phone_number: string }
type PhoneAnswer = { voice: string } | { wrong: keyof Phone; msg: string }

// Codes that belong to no country: freephone, shared cost, satellites, networks, premium.
const nonGeographic = ['800', '808', '870', '878', '881', '882', '883', '888', '979']
const callingCodes = new Set<string>([
  ...getCountries().map((country) => getCountryCallingCode(country)),
  ...nonGeographic,
])

/** "+31", "31", "0031"; also "+1-242", as islands of the North American plan are written. */
function readCode(text: string): { code: string; area: string } | undefined {
  const digits = /^(?:\+|00)?([1-9][0-9]{0,2}|1[ -]?[2-9][0-9]{2})$/.exec(text)?.[1]
  const code = digits?.replace(/[ -]/, '')
  if (code === undefined) return undefined
  const island = /^1([2-9][0-9]{2})$/.exec(code)?.[1]
  if (island !== undefined) return { code: '1', area: island }
  return callingCodes.has(code) ? { code, area: '' } : undefined
}

/** The number in EPP's form, "+CC.NNN" (RFC 5733 e164Type), or which of the two fields is wrong. */
export function readPhone({ phone_country_code, phone_number }: Phone): PhoneAnswer {
  const read = readCode(phone_country_code)
  if (!read)
    return { wrong: 'phone_country_code', msg: 'Value is not a telephone country code, e.g. +31' }
  const wrong: PhoneAnswer = {
    wrong: 'phone_number',
    msg: `Value is not a telephone number in +${read.code}`,
  }
  if (!/^\+?[0-9 ()./-]+$/.test(phone_number)) return wrong
  const digits = digitsOf(phone_number)
  const text = read.area !== '' && digits.length === 7 ? read.area + digits : phone_number
  const national = nationalOf(withoutOwnCode(text, read.code), read.code)
  if (national !== undefined) return { voice: `+${read.code}.${national}` }
  const rest = digits.replace(/^0+/, '')
  if (rest === digits || nationalOf(rest, read.code) === undefined) return wrong
  const msg = `Value begins with a prefix that is dialed within a country; write "${rest}"`
  return { wrong: 'phone_number', msg }
}

/** Without the country's own code after the prefix of most countries for international calls. */
function withoutOwnCode(text: string, code: string): string {
  const digits = digitsOf(text)
  const isInternational = !text.startsWith('+') && digits.startsWith(`00${code}`)
  return isInternational ? `+${digits.slice(2)}` : text
}

/**
 * The national (significant) number of E.164, without the trunk prefix of the country, or undefined
 * if it cannot be one. A leading 0 stays where numbers of the country have one, as in Italy.
 */
function nationalOf(text: string, code: string): string | undefined {
  const number = parsePhoneNumberFromString(text, { defaultCallingCode: code, extract: false })
  // Possible, not assigned: the numbering plans of a library are always out of date.
  if (!number?.isPossible() || number.countryCallingCode !== code) return undefined
  const national = String(number.nationalNumber)
  return national.startsWith('0') && !number.isValid() ? undefined : national
}

const digitsOf = (text: string) => text.replaceAll(/[^0-9]/g, '')

/**
 * The number as it is stored: as it was written, unless it has digits that are no part of the
 * national number, such as a trunk 0 or the country's code again.
 */
export function withoutPrefixes(phone_number: string, voice: string): string {
  const [, national = ''] = voice.split('.')
  return national.endsWith(digitsOf(phone_number)) ? phone_number : national
}

/**
 * A stored contact's number in EPP's form; one that is invalid by new rules is sent as its digits.
 */
export function eppVoice(phone: Phone): string {
  const answer = readPhone(phone)
  if ('voice' in answer) return answer.voice
  const [code, number] = [phone.phone_country_code, phone.phone_number].map(digitsOf)
  return `+${code?.slice(0, 3)}.${number?.slice(0, 12)}`
}
