/** The head of a table: a title for each column, alone or with attributes of its cell. */
export type HeadTitle = string | readonly [title: string, cell: Readonly<Record<string, unknown>>];

export function TableHead({ titles }: { readonly titles: readonly HeadTitle[] }) {
  return (
    <thead>
      <tr>
        {titles.map((one) => {
          const [title, cell] = typeof one === 'string' ? [one, {}] : one;
          return (
            <th key={title} scope="col" {...cell}>
              {title}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
