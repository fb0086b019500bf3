// Navigation: a sidebar, and on phones a bar at the bottom.
import { type ReactNode, useId, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { Icon, type IconName } from '../components/icon.tsx'
import { routes } from '../lib/routes.ts'
import { common } from '../messages/common-texts.ts'

const most_in_bar = 5
const more_id = 'more-pages'

type NavPlace = {
  path: string
  label: string
  icon: IconName
  short?: string
  group?: string
  inBar?: true
} & Counted
/**
 * The number of things at a place that wait for the user; `counted` is their word, such as
 * "unread".
 */
type Counted = { count?: number; counted?: string }
type Brand = { path: string; label: string }
type Props = { places: readonly NavPlace[]; brand?: Brand }

const ofOwners: Brand = { path: routes.home, label: common.product }

function isOpen(place: NavPlace, path: string): boolean {
  return path === place.path || (place.path !== routes.home && path.startsWith(`${place.path}/`))
}

export function Logo({ brand = ofOwners }: { brand?: Brand }) {
  return (
    <Link href={brand.path} className="flex items-center gap-2.5 font-semibold">
      <span
        aria-hidden="true"
        className="grid size-7 place-items-center rounded-lg bg-accent text-sm font-bold text-on-accent"
      >
        A
      </span>
      <span className="max-md:sr-only">{brand.label}</span>
    </Link>
  )
}

const inSidebar: Look = {
  link:
    'flex h-8 items-center gap-2.5 rounded-md px-2.5 font-medium text-muted hover:bg-line ' +
    'hover:text-ink aria-[current]:bg-surface aria-[current]:text-ink aria-[current]:shadow-card',
}

export function Sidebar({ places, brand = ofOwners }: Props) {
  return (
    <aside className="sticky top-(--band) hidden h-[calc(100dvh-var(--band))] w-56 shrink-0 flex-col border-r border-line bg-sunken px-3 py-4 md:flex">
      <div className="px-2 pb-5">
        <Logo brand={brand} />
      </div>
      <nav aria-label={common.navigation} className="-mx-1 overflow-y-auto px-1 pb-4">
        <PlaceGroups places={places} look={inSidebar} />
      </nav>
      <Documents className={`mt-auto shrink-0 ${inSidebar.link}`} />
    </aside>
  )
}

type Look = { link: string; icon?: string }
type ListProps = Props & { look: Look; onOpen?: () => void }

/** The places of the navigation, group by group. */
function PlaceGroups({ places, look, onOpen }: ListProps) {
  return groupsOf(places).map(([group, members]) => (
    <Group key={group} name={group}>
      {members.map((place) => (
        <li key={place.path}>
          <PlaceLink place={place} look={look} onClick={onOpen}>
            {place.label}
            <Count place={place} />
          </PlaceLink>
        </li>
      ))}
    </Group>
  ))
}

type LinkProps = {
  place: NavPlace
  look: Look
  onClick?: (() => void) | undefined
  children: ReactNode
}

function PlaceLink({ place, look, onClick, children }: LinkProps) {
  const [path] = useLocation()
  return (
    <Link
      href={place.path}
      aria-current={isOpen(place, path) ? 'page' : undefined}
      className={look.link}
      onClick={onClick}
    >
      <Icon name={place.icon} className={look.icon} />
      {children}
    </Link>
  )
}

function Documents({ className, icon }: { className: string; icon?: string }) {
  return (
    <a href="/docs" className={className}>
      <Icon name="book" className={icon} />
      {common.documents}
    </a>
  )
}

/** The groups in the order of their first pages. */
function groupsOf(places: readonly NavPlace[]): [group: string, members: NavPlace[]][] {
  return [...Map.groupBy(places, ({ group = '' }) => group)]
}

/** A list with its name; pages without a group have none. */
function Group({ name, children }: { name: string; children: ReactNode }) {
  const id = useId()
  const list = 'flex flex-col gap-0.5'
  if (name === '') return <ul className={list}>{children}</ul>
  return (
    <div className="mt-4">
      <p id={id} className="px-2.5 pb-1 text-xs font-semibold text-muted">
        {name}
      </p>
      <ul aria-labelledby={id} className={list}>
        {children}
      </ul>
    </div>
  )
}

const inBar = {
  link:
    'flex h-14 w-full flex-col items-center justify-center gap-1 text-xs font-medium text-muted ' +
    '-outline-offset-2 aria-[current]:text-accent-ink',
  icon: 'size-5',
}

function Count({ place: { count = 0, counted } }: { place: NavPlace }) {
  if (count === 0) return null
  return (
    <span className="ml-auto min-w-5 rounded-full bg-accent px-1.5 text-center text-xs font-semibold text-on-accent">
      {count > 99 ? '99+' : count}
      <span className="sr-only"> {counted}</span>
    </span>
  )
}

/** A dot at "More" on a phone, since the counts themselves are behind it. */
function Dot({ places }: { places: readonly NavPlace[] }) {
  const first = places.find(({ count = 0 }) => count > 0)
  if (!first) return null
  return (
    <span className="absolute -top-0.5 -right-1 size-2 rounded-full bg-accent">
      <span className="sr-only">{first.counted}</span>
    </span>
  )
}

/** The places that are chosen for the bar, or, if none is, as many as fit. */
function inBarOf(places: readonly NavPlace[]): readonly NavPlace[] {
  if (places.length <= most_in_bar) return places
  const chosen = places.filter(({ inBar }) => inBar)
  return (chosen.length > 0 ? chosen : places).slice(0, most_in_bar - 1)
}

/** Pages that do not fit into the bar are behind "More". */
export function BottomBar({ places }: Props) {
  const [path] = useLocation()
  const shown = inBarOf(places)
  const more = places.filter((place) => !shown.includes(place))
  return (
    <nav
      aria-label={common.navigation}
      className="fixed inset-x-0 bottom-0 z-20 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {shown.map((place) => (
          <li key={place.path} className="grow basis-0">
            <PlaceLink place={place} look={inBar}>
              {place.short ?? place.label}
            </PlaceLink>
          </li>
        ))}
        {more.length > 0 && (
          <li className="grow basis-0">
            <button
              type="button"
              popoverTarget={more_id}
              aria-current={more.some((place) => isOpen(place, path)) || undefined}
              className={inBar.link}
            >
              <span className="relative">
                <Icon name="more" className={inBar.icon} />
                <Dot places={more} />
              </span>
              {common.more}
            </button>
          </li>
        )}
      </ul>
      <MorePages places={more} />
    </nav>
  )
}

const inMore = {
  link:
    'flex h-11 items-center gap-3 rounded-lg px-3 font-medium aria-[current]:bg-accent-soft ' +
    'aria-[current]:text-accent-ink',
  icon: 'size-5',
}

/** The browser's own popover: Escape and a tap beside it close it. */
function MorePages({ places }: Props) {
  const popover = useRef<HTMLDivElement>(null)
  return (
    <div
      ref={popover}
      id={more_id}
      popover="auto"
      className="fixed inset-x-3 top-auto bottom-[calc(4rem+env(safe-area-inset-bottom))] m-0 max-h-[calc(100dvh-6rem)] w-auto overflow-y-auto rounded-xl border border-line bg-raised p-1.5 text-ink shadow-popup"
    >
      <PlaceGroups places={places} look={inMore} onOpen={() => popover.current?.hidePopover()} />
      <Documents className={`mt-2 ${inMore.link}`} icon={inMore.icon} />
    </div>
  )
}
