/** Beans that are read as connections of their flow: DataSources and ConnectionFactories of well-known classes. */
import type { BeanReference } from "../bean.ts";
import type { OwnConnection } from "./connection.ts";
import { connectionFactoryProperties, connectionFactoryTypes, connectionOfFactory } from "./connection-factories.ts";
import { dataSourceClass, dataSourceTypes } from "./data-source-classes.ts";
import { connectionOfDataSource } from "./data-sources.ts";
import { connectionOfRabbitFactory, rabbitFactoryProperties, rabbitFactoryTypes } from "./rabbit-factories.ts";

/** The classes of these beans. */
export const describedTypes: readonly string[] = [...dataSourceTypes, ...rabbitFactoryTypes, ...connectionFactoryTypes];

/** The names of a class's properties; undefined for another class. */
export function describedProperties(type: string): readonly string[] | undefined {
  const dataSource = dataSourceClass(type);
  if (dataSource !== undefined) return Object.keys(dataSource.properties);
  return rabbitFactoryProperties(type) ?? connectionFactoryProperties(type);
}

/** Returns the connection that a bean describes; undefined for a bean of another class. Throws an Error with what to write. */
export function connectionOfBean(
  bean: BeanReference,
  find: (reference: string) => BeanReference | undefined,
): OwnConnection | undefined {
  return connectionOfDataSource(bean) ?? connectionOfRabbitFactory(bean) ?? connectionOfFactory(bean, find);
}
