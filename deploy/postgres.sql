-- PostgreSQL runs this at its first start: the table of flows/orders.yaml.
create table orders (id bigserial primary key, document text not null);
