// Parses the fields of a command, and refuses what a registry's schema would refuse.
import type { Profile } from '../model/profiles.ts'
import { Refused } from '../protocol/reply.ts'
import { collapse, type Element } from '../protocol/xml.ts'

/** The first child of that name in the element's own namespace. */
export function child(element: Element, name: string): Element | undefined {
  return element.children.find((each) => each.name === name && each.ns === element.ns)
}

/** All children of that name in the element's own namespace. */
export function children(element: Element, name: string): Element[] {
  return element.children.filter((each) => each.name === name && each.ns === element.ns)
}

/** The child's text, collapsed, or null if there is no such child. */
export function optionalText(element: Element, name: string): string | null {
  const found = child(element, name)
  return found === undefined ? null : collapse(found.text)
}

/** The child's text, collapsed. @throws Refused 2003 when it is absent or empty */
export function requiredText(element: Element, name: string): string {
  const text = optionalText(element, name)
  if (text === null || text === '') throw new Refused(2003, `${name} is required`)
  return text
}

/** Refuses children that are not in the list, or not in its order (an xs:sequence). */
export function inOrder(element: Element, names: string): void {
  const sequence = names.split(' ')
  let at = 0
  for (const each of element.children) {
    const index = each.ns === element.ns ? sequence.indexOf(each.name, at) : -1
    if (index < 0) throw new Refused(2001, `${each.name} is not expected there`)
    at = index
  }
}

/** The password of authInfo, which may be empty, or null if there is no authInfo. */
export function readAuthInfo(element: Element): string | null {
  const found = child(element, 'authInfo')
  if (found === undefined) return null
  const password = child(found, 'pw')
  if (password !== undefined) return password.text.trim()
  if (child(found, 'null') !== undefined) return ''
  throw new Refused(2102, 'only a password is understood as authInfo')
}

/** The new authInfo, where '' removes it. @throws Refused 2202 */
export function readNewAuthInfo(element: Element, { auth_info_needs }: Profile): string | null {
  const text = readAuthInfo(element)
  if (text === null || text === '') return text
  const missing = Object.entries(auth_info_needs).find(([, form]) => !form.test(text))
  if (missing) throw new Refused(2202, `authInfo needs ${missing[0]}`)
  return text
}

/** Host or glue addresses with their family, checked. @throws Refused 2005 */
export function readAddresses(element: Element, name: string): { ip: string; address: string }[] {
  return children(element, name).map((each) => {
    const ip = each.attributes.get('ip') ?? 'v4'
    const address = collapse(each.text)
    const pattern = ip === 'v6' ? /^[0-9a-f:.]*:[0-9a-f:.]+$/i : /^(?:\d{1,3}\.){3}\d{1,3}$/
    if (!pattern.test(address)) throw new Refused(2005, `${address} is no IP${ip} address`)
    return { ip, address }
  })
}
