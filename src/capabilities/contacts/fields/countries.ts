// The 249 countries of ISO 3166-1, by code and by their usual English names.
import en from 'i18n-iso-countries/langs/en.json' with { type: 'json' }
import { iso31661 } from 'iso-3166'
import { getCountries, getCountryCallingCode } from 'libphonenumber-js/max'
import { folded } from './ascii.ts'

/** `phone_country_code` as in "+31"; null where there is none. */
type Country = {
  code: string
  name: string
  alpha3: string
  phone_country_code: string | null
}

// Where the list's first name is not the usual one in forms.
const shown: Record<string, string> = {
  CI: "Côte d'Ivoire",
  CN: 'China',
  CZ: 'Czechia',
  GM: 'Gambia',
  IR: 'Iran',
  MK: 'North Macedonia',
  RU: 'Russia',
  TW: 'Taiwan',
  TZ: 'Tanzania',
}
const alsoCalled: Record<string, string> = {
  Brunei: 'BN',
  Burma: 'MM',
  'East Timor': 'TL',
  England: 'GB',
  Holland: 'NL',
  Laos: 'LA',
  Macau: 'MO',
  Macedonia: 'MK',
  Moldova: 'MD',
  'North Korea': 'KP',
  'Northern Ireland': 'GB',
  Scotland: 'GB',
  Swaziland: 'SZ',
  Syria: 'SY',
  'Vatican City': 'VA',
  Wales: 'GB',
}

const names = new Map<string, string | string[]>(Object.entries(en.countries))
const namesOf = (code: string): string[] => [names.get(code) ?? []].flat()

function callingCodes(): Map<string, string> {
  return new Map(getCountries().map((code) => [code, `+${getCountryCallingCode(code)}`]))
}

function allCountries(): Country[] {
  const calling = callingCodes()
  return iso31661
    .map(({ alpha2, alpha3, name }) => ({
      code: alpha2,
      name: shown[alpha2] ?? namesOf(alpha2)[0] ?? name,
      alpha3,
      phone_country_code: calling.get(alpha2) ?? null,
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** All of them, in the order of their codes. */
export const countries: readonly Country[] = allCountries()

function index(): Map<string, string> {
  const found = new Map<string, string>()
  const add = (text: string, code: string) => {
    const key = folded(text)
    if (!found.has(key)) found.set(key, code)
  }
  for (const { code } of countries) add(code, code)
  for (const { code, alpha3 } of countries) add(alpha3, code)
  for (const { alpha2, name } of iso31661)
    for (const one of [name, ...namesOf(alpha2)]) add(one, alpha2)
  for (const [name, code] of Object.entries(alsoCalled)) add(name, code)
  return found
}
const codes = index()

/** The alpha-2 code that a code (2 or 3 letters, any case) or an English name stands for. */
export function countryCodeOf(text: string): string | undefined {
  const key = folded(text)
  return codes.get(key) ?? codes.get(key.replace(/^the /, ''))
}

const byCode = new Map(countries.map(({ code, name }) => [code, name]))

/** The usual English name of an alpha-2 code; the code itself where it has none. */
export function countryNameOf(code: string): string {
  return byCode.get(code) ?? code
}
